package org.anabranch.api.ext;

import jakarta.ws.rs.GET;
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
 * Keys with their past: what changed them, when and how, and what lies below them. References, keys and page tokens are given as
 * to API v2; null means absent. The
 * parameter {@code key} of the entries may be repeated.
 */
@Path(ExtPaths.TREES)
@Produces(MediaType.APPLICATION_JSON)
@Tag(name = "keys")
public interface KeysApi {

    /** The commits that changed a key, youngest first. */
    @GET
    @Operation(summary = "The commits that changed a key, youngest first")
    @Path("{ref}/contents/{key}/history")
    KeyHistoryResponse history(
            @PathParam("ref") String ref,
            @PathParam("key") String key,
            @QueryParam("content") @Nullable String content,
            @QueryParam("max-records") @Nullable String maxRecords,
            @QueryParam("page-token") @Nullable String pageToken);

    /** The entries of a commit, as API v2 selects them, with the commits that last changed them. */
    @GET
    @Operation(summary = "The keys of a commit, with the commits that last changed them")
    @Parameter(
            name = "key",
            in = ParameterIn.QUERY,
            description = "May be repeated: only these keys",
            schema = @Schema(type = SchemaType.ARRAY, implementation = String.class))
    @Path("{ref}/entries")
    ChangedEntriesResponse entries(
            @PathParam("ref") String ref,
            @Context UriInfo keys,
            @QueryParam("content") @Nullable String content,
            @QueryParam("filter") @Nullable String filter,
            @QueryParam("min-key") @Nullable String minKey,
            @QueryParam("max-key") @Nullable String maxKey,
            @QueryParam("prefix-key") @Nullable String prefixKey,
            @QueryParam("max-records") @Nullable String maxRecords,
            @QueryParam("page-token") @Nullable String pageToken);

    /** The entries directly below a key, with the commits that last changed them. */
    @GET
    @Operation(summary = "The entries directly below a key, with the commits that last changed them")
    @Path("{ref}/children")
    ChangedEntriesResponse children(
            @PathParam("ref") String ref,
            @QueryParam("parent-key") @Nullable String parentKey,
            @QueryParam("content") @Nullable String content,
            @QueryParam("max-records") @Nullable String maxRecords,
            @QueryParam("page-token") @Nullable String pageToken);

    /** How many keys lie below a key, at whatever depth. */
    @GET
    @Operation(summary = "How many keys lie below a key, at whatever depth")
    @Path("{ref}/count")
    KeyCountResponse count(@PathParam("ref") String ref, @QueryParam("parent-key") @Nullable String parentKey);
}
