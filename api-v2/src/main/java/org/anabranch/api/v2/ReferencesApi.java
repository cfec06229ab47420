package org.anabranch.api.v2;

import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.ParameterIn;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/**
 * Branches and tags. Parameters arrive as the texts they are, because what cannot be read is refused with their name and value;
 * null means absent.
 */
@Path(Paths.TREES)
@Produces(MediaType.APPLICATION_JSON)
@Tag(name = "references")
public interface ReferencesApi {

    @GET
    @Operation(summary = "Branches by name, then tags by name")
    ReferencesResponse list(
            @QueryParam("fetch") @Nullable String fetch,
            @QueryParam("filter") @Nullable String filter,
            @QueryParam("max-records") @Nullable String maxRecords,
            @QueryParam("page-token") @Nullable String pageToken);

    /** @param source with the hash that the new reference shall point at */
    @POST
    @Operation(summary = "Creates a branch or tag")
    @Parameter(name = "Idempotency-Key", in = ParameterIn.HEADER)
    @Parameter(name = "type", in = ParameterIn.QUERY, required = true)
    @Consumes(MediaType.APPLICATION_JSON)
    SingleReferenceResponse create(
            @QueryParam("name") @Nullable String name,
            @QueryParam("type") @Nullable String type,
            @Nullable ReferenceBody source);

    @GET
    @Operation(summary = "One branch or tag")
    @Path("{ref}")
    SingleReferenceResponse get(@PathParam("ref") String ref, @QueryParam("fetch") @Nullable String fetch);

    /**
     * Moves a branch or tag.
     *
     * @param ref with the hash at which the caller believes it to be
     * @param assignTo with the hash at which it shall be
     */
    @PUT
    @Operation(summary = "Moves a branch or tag")
    @Parameter(name = "Idempotency-Key", in = ParameterIn.HEADER)
    @Path("{ref}")
    @Consumes(MediaType.APPLICATION_JSON)
    SingleReferenceResponse assign(
            @PathParam("ref") String ref, @QueryParam("type") @Nullable String type, @Nullable ReferenceBody assignTo);

    /** @param ref with the hash at which the caller believes it to be */
    @DELETE
    @Operation(summary = "Deletes a branch or tag")
    @Parameter(name = "Idempotency-Key", in = ParameterIn.HEADER)
    @Path("{ref}")
    SingleReferenceResponse delete(@PathParam("ref") String ref, @QueryParam("type") @Nullable String type);

    /** Where a reference was lately. */
    @GET
    @Operation(summary = "Where a reference is and was lately")
    @Path("{ref}/recent-changes")
    RecentChangesResponse recentChanges(
            @PathParam("ref") String ref, @QueryParam("scan-commits") @Nullable String scanCommits);
}
