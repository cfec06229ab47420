package org.anabranch.rest;

import jakarta.inject.Provider;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import org.anabranch.api.v2.ErrorBody;
import org.anabranch.model.ErrorCode;
import org.anabranch.rest.AuditEntry.Outcome;
import org.anabranch.rest.error.ErrorMappers;

/** Leaves a trail of every request that is answered with a 403, or with a 404 that hides one, whichever resource it was for. */
@jakarta.ws.rs.ext.Provider
public final class DenialFilter implements ContainerResponseFilter {

    /** Asked for late, because the framework makes filters before there is a configuration. */
    private final Provider<Audit> audit;

    public DenialFilter(Provider<Audit> audit) {
        this.audit = audit;
    }

    @Override
    public void filter(ContainerRequestContext request, ContainerResponseContext response) {
        if (response.getEntity() instanceof ErrorBody error && error.errorCode() == ErrorCode.FORBIDDEN) {
            audit.get().denied(Outcome.DENIED, error.message());
        } else if (request.getProperty(ErrorMappers.DENIAL) instanceof String denial) {
            audit.get().denied(Outcome.HIDDEN, denial);
        }
    }
}
