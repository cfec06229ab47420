package org.anabranch.api.v2;

import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.UriInfo;
import org.jspecify.annotations.Nullable;

/** What clients must know of the server, and the settings they keep in the repository. */
@Path(Paths.BASE + "/config")
@Produces(MediaType.APPLICATION_JSON)
public interface ConfigApi {

    @GET
    ServerConfig serverConfig();

    /**
     * @param types names of kinds of settings, as the repeated parameter {@code type}, an empty one included; kinds without
     *     stored settings are left out of the answer
     */
    @GET
    @Path("repository")
    RepositoryConfigResponse repositoryConfigs(@Context UriInfo types);

    /** Replaces the stored settings of one kind as a whole. */
    @POST
    @Path("repository")
    @Consumes(MediaType.APPLICATION_JSON)
    UpdateRepositoryConfigResponse updateRepositoryConfig(@Nullable UpdateRepositoryConfigBody body);
}
