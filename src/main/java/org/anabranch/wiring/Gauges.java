package org.anabranch.wiring;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import io.quarkus.runtime.ApplicationConfig;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import org.anabranch.object.CacheUse;
import org.anabranch.object.StoredObjects;
import org.anabranch.rest.BodyBudget;
import org.anabranch.service.BackgroundRun;
import org.anabranch.service.Repeats;
import org.anabranch.store.Store;
import org.anabranch.store.postgres.ConnectionUse;
import org.anabranch.store.postgres.PostgresStore;
import org.anabranch.versioning.check.CheckLevel;
import org.anabranch.versioning.check.CheckReport;
import org.anabranch.versioning.check.CheckStage;
import org.anabranch.versioning.sweep.SweepMode;
import org.anabranch.versioning.sweep.SweepReport;
import org.anabranch.versioning.sweep.SweepStage;
import org.eclipse.microprofile.health.Readiness;

/** Shows what the parts of the service know of themselves, read whenever metrics are asked for. Nothing of it asks the store. */
@Singleton
public final class Gauges {

    private final MeterRegistry meters;

    Gauges(MeterRegistry meters) {
        this.meters = meters;
    }

    void ofService(@Observes StartupEvent event, ApplicationConfig application, AnabranchConfig config) {
        Gauge.builder("anabranch.info", () -> 1)
                .description("Always 1; the labels say what runs")
                .tags(
                        "version",
                        application.version().orElse(""),
                        "store",
                        Labels.of(config.store().type()))
                .register(meters);
    }

    void ofRequests(@Observes StartupEvent event, BodyBudget bodies, Repeats repeats) {
        gauge("anabranch.request.bodies", "Bytes that the bodies of requests under way take", bodies, BodyBudget::held)
                .baseUnit("bytes")
                .register(meters);
        gauge("anabranch.request.bodies.limit", "Bytes that they may take", bodies, BodyBudget::limit)
                .baseUnit("bytes")
                .register(meters);
        counter(
                        "anabranch.idempotency.repeats",
                        "Requests answered with what they were answered before",
                        repeats,
                        Repeats::answered)
                .register(meters);
    }

    void ofCache(@Observes StartupEvent event, StoredObjects objects) {
        cacheCounter("anabranch.cache.lookups", "What was looked for in the cache", objects, CacheUse::hits)
                .tag("result", "hit")
                .register(meters);
        cacheCounter("anabranch.cache.lookups", "What was looked for in the cache", objects, CacheUse::misses)
                .tag("result", "miss")
                .register(meters);
        cacheCounter("anabranch.cache.evictions", "Entries that made room for others", objects, CacheUse::evictions)
                .register(meters);
        cacheCounter("anabranch.cache.evicted", "Bytes of entries that made room", objects, CacheUse::evictedBytes)
                .baseUnit("bytes")
                .register(meters);
        gauge(
                        "anabranch.cache.size",
                        "Bytes in the cache",
                        objects,
                        cached -> cached.cacheUse().bytes())
                .baseUnit("bytes")
                .register(meters);
        gauge(
                        "anabranch.cache.size.limit",
                        "Bytes that the cache may take",
                        objects,
                        cached -> cached.cacheUse().mostBytes())
                .baseUnit("bytes")
                .register(meters);
    }

    void ofStore(@Observes StartupEvent event, Store store) {
        if (store instanceof WatchedStore watched) {
            failing(watched, "read", each -> each.failsToReadSince().isPresent());
            failing(watched, "write", each -> each.failsToWriteSince().isPresent());
            if (watched.watched() instanceof PostgresStore postgres) {
                ofConnections(postgres);
            }
        }
    }

    void ofClock(@Observes StartupEvent event, @Readiness ClockHealth clock) {
        TimeGauge.builder("anabranch.head.ahead", clock, TimeUnit.MILLISECONDS, ClockHealth::aheadMillis)
                .description(
                        "By how much the default branch's head is ahead of this process's clock, when health was last"
                                + " asked for; less than zero if it is behind")
                .register(meters);
    }

    void ofRuns(
            @Observes StartupEvent event,
            BackgroundRun<CheckLevel, CheckStage, CheckReport> check,
            BackgroundRun<SweepMode, SweepStage, SweepReport> sweep) {
        ofRun("check", check);
        ofRun("sweep", sweep);
    }

    private void ofRun(String name, BackgroundRun<?, ?, ?> run) {
        gauge(
                        "anabranch.run.active",
                        "Whether a run on the whole store is under way",
                        run,
                        each -> each.status().state() == BackgroundRun.State.RUNNING ? 1 : 0)
                .tag("run", name)
                .register(meters);
        TimeGauge.builder(
                        "anabranch.run.duration",
                        run,
                        TimeUnit.MILLISECONDS,
                        each -> each.status().elapsedMillis())
                .description("What the run that is under way has taken so far, else what the last one took")
                .tag("run", name)
                .register(meters);
    }

    private void failing(WatchedStore store, String access, Predicate<WatchedStore> fails) {
        gauge(
                        "anabranch.store.failing",
                        "Whether the last call of the store failed",
                        store,
                        each -> fails.test(each) ? 1 : 0)
                .tag("access", access)
                .register(meters);
    }

    private void ofConnections(PostgresStore store) {
        connections(store, "active", ConnectionUse::active);
        connections(store, "idle", ConnectionUse::idle);
        gauge(
                        "anabranch.database.connections.limit",
                        "Connections that may be open",
                        store,
                        each -> each.connectionUse().most())
                .register(meters);
        gauge(
                        "anabranch.database.connections.awaited",
                        "Calls that wait for a connection",
                        store,
                        each -> each.connectionUse().awaiting())
                .register(meters);
        counter(
                        "anabranch.database.connections.opened",
                        "Connections opened",
                        store,
                        each -> each.connectionUse().opened())
                .register(meters);
        counter(
                        "anabranch.database.connections.closed",
                        "Connections closed, or broken",
                        store,
                        each -> each.connectionUse().closed())
                .register(meters);
    }

    private void connections(PostgresStore store, String state, ToDoubleFunction<ConnectionUse> count) {
        gauge(
                        "anabranch.database.connections",
                        "Connections that are open",
                        store,
                        each -> count.applyAsDouble(each.connectionUse()))
                .tag("state", state)
                .register(meters);
    }

    private static FunctionCounter.Builder<StoredObjects> cacheCounter(
            String name, String description, StoredObjects objects, ToDoubleFunction<CacheUse> count) {
        return counter(name, description, objects, each -> count.applyAsDouble(each.cacheUse()));
    }

    private static <T> FunctionCounter.Builder<T> counter(
            String name, String description, T of, ToDoubleFunction<T> count) {
        return FunctionCounter.builder(name, of, count).description(description);
    }

    private static <T> Gauge.Builder<T> gauge(String name, String description, T of, ToDoubleFunction<T> value) {
        return Gauge.builder(name, of, value).description(description);
    }
}
