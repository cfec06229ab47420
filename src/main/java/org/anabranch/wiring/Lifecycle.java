package org.anabranch.wiring;

import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.vertx.http.HttpServer;
import io.quarkus.vertx.http.HttpServerStart;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.event.ObservesAsync;
import jakarta.inject.Provider;
import jakarta.inject.Singleton;
import org.anabranch.api.v2.Paths;
import org.anabranch.store.Store;
import org.anabranch.versioning.commit.BranchWriter;
import org.anabranch.versioning.refs.Repository;
import org.jboss.logging.Logger;

/** Opens the repository before the first request, says where everything is, and ends writes before the store. */
@Singleton
public final class Lifecycle {

    private static final Logger LOG = Logger.getLogger("anabranch");

    private final AnabranchConfig config;
    private final Store store;
    private final Repository repository;
    private final BranchWriter writer;
    private final Provider<HttpServer> server;

    Lifecycle(
            AnabranchConfig config,
            Store store,
            Repository repository,
            BranchWriter writer,
            Provider<HttpServer> server) {
        this.config = config;
        this.store = store;
        this.repository = repository;
        this.writer = writer;
        this.server = server;
    }

    /** By then the constructor's arguments exist, so the store is open and the default branch is there. */
    void opened(@Observes StartupEvent event) {
        LOG.debugf("The repository is open; its default branch is '%s'", repository.defaultBranch());
    }

    void listening(@ObservesAsync HttpServerStart started) {
        LOG.infof(
                "The catalog answers on http://%s:%d%s, and keeps its commits in %s",
                started.options().getHost(),
                server.get().getPort(),
                Paths.BASE,
                switch (config.store().type()) {
                    case EMBEDDED -> config.store().path();
                    case MEMORY -> "memory: they end with this process";
                });
    }

    /** The framework has stopped taking requests; those under way end first. */
    void ending(@Observes ShutdownEvent event) {
        writer.close();
        store.close();
        LOG.info("The catalog has ended");
    }
}
