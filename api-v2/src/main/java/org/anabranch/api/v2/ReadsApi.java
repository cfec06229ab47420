package org.anabranch.api.v2;

import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a commit holds, where it comes from and how it differs from another. Parameters arrive as the texts they are, because
 * what cannot be read is refused with their name and value; null means absent.
 */
@Path(Paths.BASE + "/trees")
@Produces(MediaType.APPLICATION_JSON)
public interface ReadsApi {

    @GET
    @Path("{ref:" + Paths.REFERENCE + "}/entries")
    EntriesResponse entries(
            @PathParam("ref") String ref,
            @QueryParam("content") @Nullable String content,
            @QueryParam("filter") @Nullable String filter,
            @QueryParam("key") List<String> keys,
            @QueryParam("min-key") @Nullable String minKey,
            @QueryParam("max-key") @Nullable String maxKey,
            @QueryParam("prefix-key") @Nullable String prefixKey,
            @QueryParam("max-records") @Nullable String maxRecords,
            @QueryParam("page-token") @Nullable String pageToken);

    @GET
    @Path("{ref:" + Paths.REFERENCE + "}/history")
    LogResponse history(
            @PathParam("ref") String ref,
            @QueryParam("fetch") @Nullable String fetch,
            @QueryParam("limit-hash") @Nullable String limitHash,
            @QueryParam("filter") @Nullable String filter,
            @QueryParam("max-records") @Nullable String maxRecords,
            @QueryParam("page-token") @Nullable String pageToken);

    @GET
    @Path("{from-ref:" + Paths.REFERENCE + "}/diff/{to-ref:" + Paths.REFERENCE + "}")
    DiffResponse diff(
            @PathParam("from-ref") String fromRef,
            @PathParam("to-ref") String toRef,
            @QueryParam("filter") @Nullable String filter,
            @QueryParam("key") List<String> keys,
            @QueryParam("min-key") @Nullable String minKey,
            @QueryParam("max-key") @Nullable String maxKey,
            @QueryParam("prefix-key") @Nullable String prefixKey,
            @QueryParam("max-records") @Nullable String maxRecords,
            @QueryParam("page-token") @Nullable String pageToken);

    @GET
    @Path("{ref:" + Paths.REFERENCE + "}/contents/{key}")
    ContentResponse content(
            @PathParam("ref") String ref,
            @PathParam("key") String key,
            @QueryParam("with-doc") @Nullable String withDoc,
            @QueryParam("for-write") @Nullable String forWrite);

    @GET
    @Path("{ref:" + Paths.REFERENCE + "}/contents")
    GetContentsResponse contents(
            @PathParam("ref") String ref,
            @QueryParam("key") List<String> keys,
            @QueryParam("with-doc") @Nullable String withDoc,
            @QueryParam("for-write") @Nullable String forWrite);

    @POST
    @Path("{ref:" + Paths.REFERENCE + "}/contents")
    @Consumes(MediaType.APPLICATION_JSON)
    GetContentsResponse contents(
            @PathParam("ref") String ref,
            @QueryParam("with-doc") @Nullable String withDoc,
            @QueryParam("for-write") @Nullable String forWrite,
            @Nullable GetContentsBody body);
}
