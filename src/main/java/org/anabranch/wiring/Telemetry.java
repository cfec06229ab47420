package org.anabranch.wiring;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;
import io.opentelemetry.api.OpenTelemetry;
import io.quarkus.opentelemetry.runtime.config.runtime.OTelRuntimeConfig;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.anabranch.rest.SlowRequests;
import org.anabranch.versioning.commit.WriteListener;

/** Makes what measures the service and shows where its time goes. docs/operations.md lists the metrics. */
public final class Telemetry {

    private static final String REQUESTS = "http.server.requests";
    private static final String PATH_LABEL = "uri";
    private static final Set<String> METHODS = Set.of("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH");

    /** From a read that finds all in memory to one that is given up. */
    private static final double[] BUCKETS_IN_NANOS =
            List.of(1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000).stream()
                    .mapToDouble(millis -> Duration.ofMillis(millis).toNanos())
                    .toArray();

    /** Times are told as histograms with the same buckets everywhere, so that those of several processes can be added. */
    @Produces
    @Singleton
    MeterFilter buckets() {
        return new MeterFilter() {
            @Override
            public DistributionStatisticConfig configure(Meter.Id id, DistributionStatisticConfig config) {
                boolean isOurs =
                        id.getName().startsWith("anabranch.") || id.getName().equals(REQUESTS);
                return isOurs && id.getType() == Meter.Type.TIMER
                        ? DistributionStatisticConfig.builder()
                                .serviceLevelObjectives(BUCKETS_IN_NANOS)
                                .build()
                                .merge(config)
                        : config;
            }
        };
    }

    /** A method is any word that a client thinks of, and would be a label. */
    @Produces
    @Singleton
    MeterFilter methods() {
        return MeterFilter.deny(
                id -> id.getName().equals(REQUESTS) && !METHODS.contains(String.valueOf(id.getTag("method"))));
    }

    /**
     * So is a path, where the framework has no template of it: of a request that was answered with a 5xx before a resource was found.
     * Once a hundred labels were made so, it would make no others.
     */
    @Produces
    @Singleton
    MeterFilter paths() {
        return new MeterFilter() {
            @Override
            public Meter.Id map(Meter.Id id) {
                boolean isForeign =
                        id.getName().equals(REQUESTS) && !RequestPaths.isKnown(String.valueOf(id.getTag(PATH_LABEL)));
                return isForeign ? id.withTag(Tag.of(PATH_LABEL, "UNKNOWN")) : id;
            }
        };
    }

    @Produces
    @Singleton
    Traces traces(OpenTelemetry telemetry, OTelRuntimeConfig config) {
        return config.sdkDisabled() ? Traces.OFF : new Traces(telemetry);
    }

    @Produces
    @Singleton
    Refusals refusals(MeterRegistry meters) {
        return new Refusals(meters);
    }

    @Produces
    @Singleton
    WriteListener writes(MeterRegistry meters, Refusals refusals, SlowRequests requests, Traces traces) {
        return new WriteMetrics(meters, refusals, requests, traces);
    }

    @Produces
    @Singleton
    StoreCalls storeCalls(MeterRegistry meters, AnabranchConfig config, Traces traces, SlowRequests requests) {
        return new StoreCalls(meters, Labels.of(config.store().type()), traces, requests::stored);
    }
}
