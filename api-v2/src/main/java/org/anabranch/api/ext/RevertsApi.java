package org.anabranch.api.ext;

import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import org.anabranch.api.v2.MergeResponse;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.ParameterIn;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/**
 * What takes changes back by a new commit. The branch stands in the path with its expected hash, and headers add to the metadata
 * of the new commit, as for the writes of API v2; answers and conflicts are those of a merge.
 */
@Path(ExtPaths.TREES)
@Consumes(MediaType.APPLICATION_JSON)
@Produces(MediaType.APPLICATION_JSON)
@Tag(name = "reverts")
public interface RevertsApi {

    /** Takes back what a commit changed. */
    @POST
    @Operation(summary = "Takes back what a commit changed")
    @Parameter(name = "Idempotency-Key", in = ParameterIn.HEADER)
    @Parameter(name = "Nessie-Commit-Message", in = ParameterIn.HEADER)
    @Parameter(name = "Nessie-Commit-Authors", in = ParameterIn.HEADER)
    @Parameter(name = "Nessie-Commit-SignedOffBy", in = ParameterIn.HEADER)
    @Path("{branch}/history/revert")
    MergeResponse revert(@PathParam("branch") String branch, @Context HttpHeaders headers, @Nullable RevertBody revert);

    /** Puts a key back to what it held at a commit. */
    @POST
    @Operation(summary = "Puts a key back to what it held at a commit")
    @Parameter(name = "Idempotency-Key", in = ParameterIn.HEADER)
    @Parameter(name = "Nessie-Commit-Message", in = ParameterIn.HEADER)
    @Parameter(name = "Nessie-Commit-Authors", in = ParameterIn.HEADER)
    @Parameter(name = "Nessie-Commit-SignedOffBy", in = ParameterIn.HEADER)
    @Path("{branch}/contents/{key}/revert")
    MergeResponse revertKey(
            @PathParam("branch") String branch,
            @PathParam("key") String key,
            @Context HttpHeaders headers,
            @Nullable RevertBody revert);
}
