package org.anabranch.api.v2;

import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.UriInfo;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.ParameterIn;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/**
 * What a commit holds, where it comes from and how it differs from another. Parameters arrive as the texts they are, because
 * what cannot be read is refused with their name and value; null means absent. Where keys can be given, the parameter {@code key}
 * may be repeated; it is taken from the whole query, because the framework drops empty ones and an empty key means none.
 */
@Path(Paths.TREES)
@Produces(MediaType.APPLICATION_JSON)
@Tag(name = "reads")
public interface ReadsApi {

    @GET
    @Operation(summary = "The keys of a commit, in key order")
    @Parameter(
            name = "key",
            in = ParameterIn.QUERY,
            description = "May be repeated: only these keys",
            schema = @Schema(type = SchemaType.ARRAY, implementation = String.class))
    @Path("{ref}/entries")
    EntriesResponse entries(
            @PathParam("ref") String ref,
            @Context UriInfo keys,
            @QueryParam("content") @Nullable String content,
            @QueryParam("filter") @Nullable String filter,
            @QueryParam("min-key") @Nullable String minKey,
            @QueryParam("max-key") @Nullable String maxKey,
            @QueryParam("prefix-key") @Nullable String prefixKey,
            @QueryParam("max-records") @Nullable String maxRecords,
            @QueryParam("page-token") @Nullable String pageToken);

    @GET
    @Operation(summary = "The first-parent line of a commit, youngest first")
    @Path("{ref}/history")
    LogResponse history(
            @PathParam("ref") String ref,
            @QueryParam("fetch") @Nullable String fetch,
            @QueryParam("limit-hash") @Nullable String limitHash,
            @QueryParam("filter") @Nullable String filter,
            @QueryParam("max-records") @Nullable String maxRecords,
            @QueryParam("page-token") @Nullable String pageToken);

    @GET
    @Operation(summary = "The keys that differ between two commits, in key order")
    @Parameter(
            name = "key",
            in = ParameterIn.QUERY,
            description = "May be repeated: only these keys",
            schema = @Schema(type = SchemaType.ARRAY, implementation = String.class))
    @Path("{from-ref}/diff/{to-ref}")
    DiffResponse diff(
            @PathParam("from-ref") String fromRef,
            @PathParam("to-ref") String toRef,
            @Context UriInfo keys,
            @QueryParam("filter") @Nullable String filter,
            @QueryParam("min-key") @Nullable String minKey,
            @QueryParam("max-key") @Nullable String maxKey,
            @QueryParam("prefix-key") @Nullable String prefixKey,
            @QueryParam("max-records") @Nullable String maxRecords,
            @QueryParam("page-token") @Nullable String pageToken);

    @GET
    @Operation(summary = "One content")
    @Path("{ref}/contents/{key}")
    ContentResponse content(
            @PathParam("ref") String ref,
            @PathParam("key") String key,
            @QueryParam("with-doc") @Nullable String withDoc,
            @QueryParam("for-write") @Nullable String forWrite);

    @GET
    @Operation(summary = "Several contents")
    @Parameter(
            name = "key",
            in = ParameterIn.QUERY,
            required = true,
            description = "May be repeated: the keys",
            schema = @Schema(type = SchemaType.ARRAY, implementation = String.class))
    @Path("{ref}/contents")
    GetContentsResponse contents(
            @PathParam("ref") String ref,
            @Context UriInfo keys,
            @QueryParam("with-doc") @Nullable String withDoc,
            @QueryParam("for-write") @Nullable String forWrite);

    @POST
    @Operation(summary = "Several contents, with the keys in a body")
    @Path("{ref}/contents")
    @Consumes(MediaType.APPLICATION_JSON)
    GetContentsResponse contents(
            @PathParam("ref") String ref,
            @QueryParam("with-doc") @Nullable String withDoc,
            @QueryParam("for-write") @Nullable String forWrite,
            @Nullable GetContentsBody body);
}
