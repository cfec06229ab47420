package org.anabranch.wiring;

import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import org.anabranch.rest.BodyLimit;
import org.anabranch.rest.RequestLimits;

/** Makes what the resources need beside the use cases. */
public final class Door {

    @Produces
    @Singleton
    BodyLimit bodyLimit(AnabranchConfig config) {
        return new BodyLimit(config.limits().requestBody().asLongValue());
    }

    @Produces
    @Singleton
    RequestLimits requestLimits(AnabranchConfig config) {
        AnabranchConfig.Limits limits = config.limits();
        return new RequestLimits(limits.operations(), limits.keys(), limits.message(), limits.pageSize());
    }
}
