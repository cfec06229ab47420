package org.anabranch.wiring;

import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import org.anabranch.rest.BodyLimit;

/** Makes what the resources need beside the use cases. */
public final class Door {

    @Produces
    @Singleton
    BodyLimit bodyLimit(AnabranchConfig config) {
        return new BodyLimit(config.limits().requestBody().asLongValue());
    }
}
