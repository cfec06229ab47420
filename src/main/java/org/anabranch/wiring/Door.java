package org.anabranch.wiring;

import io.quarkus.runtime.configuration.MemorySize;
import io.quarkus.vertx.http.runtime.VertxHttpConfig;
import io.quarkus.vertx.http.runtime.management.ManagementConfig;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.util.Optional;
import org.anabranch.rest.AnswerTime;
import org.anabranch.rest.BodyBudget;
import org.anabranch.rest.BodyLimit;
import org.anabranch.rest.ForeignPages;
import org.anabranch.rest.RequestIdSource;
import org.anabranch.rest.RequestLimits;
import org.anabranch.rest.SlowRequests;

/** Makes what the resources need beside the use cases. */
public final class Door {

    @Produces
    @Singleton
    BodyLimit bodyLimit(AnabranchConfig config, VertxHttpConfig http) {
        long limit = config.limits().requestBody().asLongValue();
        Optional<MemorySize> onTheWire = http.limits().maxBodySize();
        if (onTheWire.isPresent() && onTheWire.get().asLongValue() <= limit) {
            throw new IllegalArgumentException(
                    "quarkus.http.limits.max-body-size must be more than anabranch.limits.request-body (" + limit
                            + " bytes), or clients get refusals that they cannot read");
        }
        return new BodyLimit(limit, config.limits().requestBodyTime());
    }

    @Produces
    @Singleton
    BodyBudget bodyBudget(AnabranchConfig config, BodyLimit limit) {
        long budget = config.limits().requestBodies().asLongValue();
        if (budget < limit.bytes()) {
            throw new IllegalArgumentException("anabranch.limits.request-bodies (" + budget
                    + " bytes) must not be less than anabranch.limits.request-body (" + limit.bytes()
                    + " bytes), or the largest body never fits");
        }
        return new BodyBudget(budget);
    }

    @Produces
    @Singleton
    RequestIdSource requestIds(Ids ids) {
        return () -> ids.uuid().toString();
    }

    /** Behind a gateway that asks, or with CORS switched on, it is for others to say which pages may call. */
    @Produces
    @Singleton
    ForeignPages.Rules foreignPages(AnabranchConfig config, VertxHttpConfig http, ManagementConfig management) {
        AnabranchConfig.Authentication authentication = config.authentication();
        boolean isOpen = authentication.type() == AnabranchConfig.Authentication.Type.NONE;
        return new ForeignPages.Rules(
                isOpen && !authentication.openToNetwork() && !http.cors().enabled(),
                Authentication.isLoopback(management.host()));
    }

    @Produces
    @Singleton
    AnswerTime answerTime(AnabranchConfig config) {
        return new AnswerTime(config.limits().answerTime(), System::nanoTime);
    }

    @Produces
    @Singleton
    SlowRequests.Limit slowRequests(AnabranchConfig config) {
        return new SlowRequests.Limit(config.log().slowRequest(), System::nanoTime);
    }

    @Produces
    @Singleton
    RequestLimits requestLimits(AnabranchConfig config) {
        AnabranchConfig.Limits limits = config.limits();
        return new RequestLimits(limits.operations(), limits.keys(), limits.message(), limits.pageSize());
    }
}
