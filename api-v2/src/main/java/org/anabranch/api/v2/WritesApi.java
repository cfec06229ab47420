package org.anabranch.api.v2;

import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.ParameterIn;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/**
 * What moves a branch by new commits. The branch stands in the path with the commit at which the caller believes the touched
 * keys to be as they are. Request headers can add to the metadata of the new commit.
 */
@Path(Paths.TREES)
@Consumes(MediaType.APPLICATION_JSON)
@Produces(MediaType.APPLICATION_JSON)
@Tag(name = "writes")
public interface WritesApi {

    @POST
    @Operation(summary = "Adds a commit of the given operations")
    @Parameter(name = "Idempotency-Key", in = ParameterIn.HEADER)
    @Parameter(name = "Nessie-Commit-Message", in = ParameterIn.HEADER)
    @Parameter(name = "Nessie-Commit-Authors", in = ParameterIn.HEADER)
    @Parameter(name = "Nessie-Commit-SignedOffBy", in = ParameterIn.HEADER)
    @Path("{branch}/history/commit")
    CommitResponse commit(
            @PathParam("branch") String branch, @Context HttpHeaders headers, @Nullable CommitBody operations);

    @POST
    @Operation(summary = "Merges a commit into a branch")
    @Parameter(name = "Idempotency-Key", in = ParameterIn.HEADER)
    @Parameter(name = "Nessie-Commit-Message", in = ParameterIn.HEADER)
    @Parameter(name = "Nessie-Commit-Authors", in = ParameterIn.HEADER)
    @Parameter(name = "Nessie-Commit-SignedOffBy", in = ParameterIn.HEADER)
    @Path("{branch}/history/merge")
    MergeResponse merge(@PathParam("branch") String branch, @Context HttpHeaders headers, @Nullable MergeBody merge);

    @POST
    @Operation(summary = "Replays commits on a branch")
    @Parameter(name = "Idempotency-Key", in = ParameterIn.HEADER)
    @Parameter(name = "Nessie-Commit-Message", in = ParameterIn.HEADER)
    @Parameter(name = "Nessie-Commit-Authors", in = ParameterIn.HEADER)
    @Parameter(name = "Nessie-Commit-SignedOffBy", in = ParameterIn.HEADER)
    @Path("{branch}/history/transplant")
    MergeResponse transplant(
            @PathParam("branch") String branch, @Context HttpHeaders headers, @Nullable TransplantBody transplant);
}
