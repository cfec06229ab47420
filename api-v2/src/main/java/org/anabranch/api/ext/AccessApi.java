package org.anabranch.api.ext;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** What the caller may see, for programs that must not take silence for absence, such as the collector of unreferenced files. */
@Path(ExtPaths.BASE)
@Produces(MediaType.APPLICATION_JSON)
@Tag(name = "access")
public interface AccessApi {

    /** Whether reads show this caller everything. */
    @GET
    @Operation(summary = "Whether reads show this caller everything")
    @Path("access")
    AccessResponse access();
}
