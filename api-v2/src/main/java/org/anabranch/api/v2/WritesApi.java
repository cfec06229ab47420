package org.anabranch.api.v2;

import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import org.jspecify.annotations.Nullable;

/**
 * What moves a branch by new commits. The branch stands in the path with the commit at which the caller believes the touched
 * keys to be as they are. Request headers can add to the metadata of the new commit.
 */
@Path(Paths.TREES)
@Consumes(MediaType.APPLICATION_JSON)
@Produces(MediaType.APPLICATION_JSON)
public interface WritesApi {

    @POST
    @Path("{branch}/history/commit")
    CommitResponse commit(
            @PathParam("branch") String branch, @Context HttpHeaders headers, @Nullable CommitBody operations);

    @POST
    @Path("{branch}/history/merge")
    MergeResponse merge(@PathParam("branch") String branch, @Context HttpHeaders headers, @Nullable MergeBody merge);

    @POST
    @Path("{branch}/history/transplant")
    MergeResponse transplant(
            @PathParam("branch") String branch, @Context HttpHeaders headers, @Nullable TransplantBody transplant);
}
