package org.anabranch.bench.empty;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;

/** The same path parameters as a read of one content, the same worker threads, and an empty JSON object. */
@Path("api/v2")
public class EmptyResource {

    @GET
    @Path("trees/{ref}/contents/{key}")
    @Produces(MediaType.APPLICATION_JSON)
    public Nothing content(@PathParam("ref") String ref, @PathParam("key") String key) {
        return new Nothing();
    }

    @GET
    @Path("config")
    @Produces(MediaType.APPLICATION_JSON)
    public Nothing config() {
        return new Nothing();
    }

    /** An object without properties. */
    public record Nothing() {}
}
