package org.anabranch.api.v2;

import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
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

/** What clients must know of the server, and the settings they keep in the repository. */
@Path(Paths.BASE + "/config")
@Produces(MediaType.APPLICATION_JSON)
@Tag(name = "config")
public interface ConfigApi {

    @GET
    @Operation(summary = "What clients must know of the server")
    ServerConfig serverConfig();

    /**
     * @param types names of kinds of settings, as the repeated parameter {@code type}, an empty one included; kinds without
     *     stored settings are left out of the answer
     */
    @GET
    @Operation(summary = "The stored settings of some kinds")
    @Parameter(
            name = "type",
            in = ParameterIn.QUERY,
            description = "Kinds of settings; may be repeated",
            schema = @Schema(type = SchemaType.ARRAY, implementation = String.class))
    @Path("repository")
    RepositoryConfigResponse repositoryConfigs(@Context UriInfo types);

    /** Replaces the stored settings of one kind as a whole. */
    @POST
    @Operation(summary = "Replaces the settings of one kind")
    @Path("repository")
    @Consumes(MediaType.APPLICATION_JSON)
    UpdateRepositoryConfigResponse updateRepositoryConfig(@Nullable UpdateRepositoryConfigBody body);
}
