package org.anabranch.wiring;

import io.quarkus.runtime.ThreadPoolConfig;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.InstantSource;
import java.util.Map;
import org.anabranch.dag.CommitGraph;
import org.anabranch.filter.FilterLimits;
import org.anabranch.filter.Filters;
import org.anabranch.index.KeyIndex;
import org.anabranch.object.ObjectReader;
import org.anabranch.object.StoredObjects;
import org.anabranch.store.Instants;
import org.anabranch.store.RepositoryRow;
import org.anabranch.store.Store;
import org.anabranch.store.embedded.EmbeddedStore;
import org.anabranch.store.memory.MemoryStore;
import org.anabranch.versioning.commit.BranchWriter;
import org.anabranch.versioning.commit.ChangePlanner;
import org.anabranch.versioning.commit.Staging;
import org.anabranch.versioning.commit.WriteLimits;
import org.anabranch.versioning.commit.WriteListener;
import org.anabranch.versioning.refs.HeadPublisher;
import org.anabranch.versioning.refs.NumberBlocks;
import org.anabranch.versioning.refs.RecentHeadsLimit;
import org.anabranch.versioning.refs.References;
import org.anabranch.versioning.refs.Repository;
import org.jboss.logging.Logger;

/** Makes the machinery below the use cases, one of each. */
public final class Engine {

    private static final Logger LOG = Logger.getLogger("anabranch");

    /** A lost block costs nothing, and a durable write per thousand commits is not felt. */
    private static final int NUMBERS_PER_BLOCK = 1_000;

    @Produces
    @Singleton
    InstantSource clock() {
        return InstantSource.system();
    }

    @Produces
    @Singleton
    Ids ids() {
        return new Ids();
    }

    @Produces
    @Singleton
    Store store(AnabranchConfig config, InstantSource clock, StoreCalls calls, Traces traces) {
        return new WatchedStore(open(config, traces), clock, calls, LOG::warn, LOG::info);
    }

    /** Opens the configured store. */
    static Store open(AnabranchConfig config, Traces traces) {
        return switch (config.store().type()) {
            case EMBEDDED -> EmbeddedStore.open(config.store().path());
            case POSTGRESQL -> Database.open(config.store().postgresql(), traces);
            case MEMORY -> new MemoryStore();
        };
    }

    @Produces
    @Singleton
    Repository repository(Store store, AnabranchConfig config, InstantSource clock, Ids ids) {
        long now = Instants.micros(clock.instant());
        return Repository.open(
                store,
                new RepositoryRow(
                        ids.uuid(),
                        Repository.FORMAT_VERSION,
                        ids.salt(),
                        config.defaultBranch(),
                        now,
                        now,
                        Map.of(),
                        1));
    }

    @Produces
    @Singleton
    StoredObjects objects(Store store, AnabranchConfig config) {
        return new StoredObjects(store, config.cache().size().asLongValue());
    }

    @Produces
    @Singleton
    CommitGraph graph(ObjectReader objects) {
        return new CommitGraph(objects);
    }

    @Produces
    @Singleton
    KeyIndex index(ObjectReader objects) {
        return new KeyIndex(objects);
    }

    @Produces
    @Singleton
    Filters filters(AnabranchConfig config, InstantSource clock) {
        AnabranchConfig.Limits limits = config.limits();
        return new Filters(new FilterLimits(limits.filterLength(), limits.filterSteps(), limits.filterTime()), clock);
    }

    @Produces
    @Singleton
    References references(Store store, ObjectReader objects, CommitGraph graph, Repository repository) {
        return new References(store, objects, graph, repository.defaultBranch());
    }

    @Produces
    @Singleton
    RecentHeadsLimit recentHeads(AnabranchConfig config) {
        return new RecentHeadsLimit(
                config.recentChanges().count(), config.recentChanges().window());
    }

    @Produces
    @Singleton
    HeadPublisher publisher(Store store, RecentHeadsLimit limit) {
        return new HeadPublisher(store, limit);
    }

    /** Gives numbers of commit rows and incarnations of references. */
    @Produces
    @Singleton
    NumberBlocks numbers(Store store) {
        return new NumberBlocks(store, NUMBERS_PER_BLOCK);
    }

    @Produces
    @Singleton
    ChangePlanner planner(KeyIndex index, Ids ids) {
        return new ChangePlanner(index, ids::contentId);
    }

    @Produces
    @Singleton
    BranchWriter writer(
            NumberBlocks numbers,
            HeadPublisher publisher,
            StoredObjects objects,
            Repository repository,
            InstantSource clock,
            WriteListener listener,
            AnabranchConfig config,
            ThreadPoolConfig threads) {
        AnabranchConfig.Limits limits = config.limits();
        if (limits.waitingRequests() >= threads.maxThreads().orElse(Integer.MAX_VALUE)) {
            throw new IllegalArgumentException("anabranch.limits.waiting-requests (" + limits.waitingRequests()
                    + ") must be less than quarkus.thread-pool.max-threads, or the writes of one branch can take every"
                    + " thread");
        }
        return new BranchWriter(
                publisher,
                new Staging(objects, repository.salt(), numbers),
                clock,
                new SystemTicker(),
                new WriteLimits(
                        limits.writeAttempts(),
                        limits.writeTime(),
                        limits.judgementTime(),
                        limits.batchRequests(),
                        limits.batchSize().asLongValue(),
                        limits.waitingRequests()),
                listener);
    }
}
