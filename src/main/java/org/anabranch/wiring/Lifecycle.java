package org.anabranch.wiring;

import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.QuarkusApplication;
import io.quarkus.runtime.ShutdownDelayInitiatedEvent;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.vertx.http.HttpServer;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Provider;
import jakarta.inject.Singleton;
import org.anabranch.api.v2.Paths;
import org.anabranch.rest.Departure;
import org.anabranch.service.BackgroundRun;
import org.anabranch.service.ExportRepository;
import org.anabranch.store.Store;
import org.anabranch.versioning.check.CheckLevel;
import org.anabranch.versioning.check.CheckReport;
import org.anabranch.versioning.check.CheckStage;
import org.anabranch.versioning.commit.BranchWriter;
import org.anabranch.versioning.refs.Repository;
import org.anabranch.versioning.sweep.SweepMode;
import org.anabranch.versioning.sweep.SweepReport;
import org.anabranch.versioning.sweep.SweepStage;
import org.eclipse.microprofile.config.Config;
import org.jboss.logging.Logger;

/** Opens the repository before the first request, says where everything is, and ends writes before the store. */
@Singleton
public final class Lifecycle implements QuarkusApplication {

    private static final Logger LOG = Logger.getLogger("anabranch");

    private final AnabranchConfig config;
    private final Store store;
    private final Repository repository;
    private final BranchWriter writer;
    private final BackgroundRun<CheckLevel, CheckStage, CheckReport> check;
    private final BackgroundRun<SweepMode, SweepStage, SweepReport> sweep;
    private final SweepSchedule schedule;
    private final ExportRepository exports;
    private final Readiness readiness;
    private final Departure departure;
    private final Provider<HttpServer> server;
    private final String host;

    private volatile boolean serving;

    Lifecycle(
            AnabranchConfig config,
            Store store,
            Repository repository,
            BranchWriter writer,
            BackgroundRun<CheckLevel, CheckStage, CheckReport> check,
            BackgroundRun<SweepMode, SweepStage, SweepReport> sweep,
            SweepSchedule schedule,
            ExportRepository exports,
            @org.eclipse.microprofile.health.Readiness Readiness readiness,
            Departure departure,
            Provider<HttpServer> server,
            Config settings) {
        this.config = config;
        this.store = store;
        this.repository = repository;
        this.writer = writer;
        this.check = check;
        this.sweep = sweep;
        this.schedule = schedule;
        this.exports = exports;
        this.readiness = readiness;
        this.departure = departure;
        this.server = server;
        this.host = settings.getValue("quarkus.http.host", String.class);
    }

    /** By then the constructor's arguments exist, so the store is open and the default branch is there. */
    void opened(@Observes StartupEvent event) {
        LOG.debugf("The repository is open; its default branch is '%s'", repository.defaultBranch());
        EnvironmentNames.unknown(System.getenv().keySet())
                .forEach(name -> LOG.warnf(
                        "The environment variable %s stands for no property, and nothing was set by it; docs/configuration.md"
                                + " lists them all",
                        name));
    }

    /** Runs once every port is open, so what it says holds. */
    @Override
    public int run(String... args) {
        serving = true;
        Database.warning(config.store()).ifPresent(LOG::warn);
        boolean isEncrypted = config.tls().certificate().isPresent();
        LOG.infof(
                "The catalog answers on %s://%s:%d%s, and keeps its commits in %s",
                isEncrypted ? "https" : "http",
                host.contains(":") ? "[" + host + "]" : host,
                isEncrypted ? server.get().getSecurePort() : server.get().getPort(),
                Paths.BASE,
                switch (config.store().type()) {
                    case EMBEDDED -> config.store().path().toAbsolutePath();
                    case POSTGRESQL ->
                        "PostgreSQL at "
                                + Database.settings(config.store().postgresql()).place();
                    case MEMORY -> "memory: they end with this process";
                });
        Quarkus.waitForExit();
        return 0;
    }

    /**
     * The service was told to end. Nobody is to send requests here any more, and who does so after a while is refused; what was
     * begun goes on, and the framework waits for it.
     */
    void leaving(@Observes ShutdownDelayInitiatedEvent event) throws InterruptedException {
        readiness.end();
        Thread.sleep(config.shutdown().delay());
        departure.begin();
    }

    /** The framework has stopped taking requests; those under way end first. */
    void ending(@Observes ShutdownEvent event) {
        check.close();
        schedule.close();
        sweep.close();
        exports.close();
        writer.close();
        store.close();
        if (serving) {
            LOG.info("The catalog has ended");
        }
    }
}
