package org.anabranch.wiring;

import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.Startup;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Optional;
import org.anabranch.dag.CommitGraph;
import org.anabranch.filter.Filters;
import org.anabranch.index.KeyIndex;
import org.anabranch.object.ObjectReader;
import org.anabranch.object.StoredObjects;
import org.anabranch.service.AssignReference;
import org.anabranch.service.BackgroundRun;
import org.anabranch.service.CommitToBranch;
import org.anabranch.service.CountKeys;
import org.anabranch.service.CreateReference;
import org.anabranch.service.DeleteReference;
import org.anabranch.service.DiffReferences;
import org.anabranch.service.ExportRepository;
import org.anabranch.service.GetConfig;
import org.anabranch.service.GetReference;
import org.anabranch.service.ListChildren;
import org.anabranch.service.ListEntries;
import org.anabranch.service.ListLastChanges;
import org.anabranch.service.ListReferences;
import org.anabranch.service.MergeIntoBranch;
import org.anabranch.service.PreviousHeads;
import org.anabranch.service.ReadContents;
import org.anabranch.service.ReadHistory;
import org.anabranch.service.ReadKeyHistory;
import org.anabranch.service.RecentChanges;
import org.anabranch.service.Repeats;
import org.anabranch.service.RepositoryConfigs;
import org.anabranch.service.RevertOnBranch;
import org.anabranch.service.TransplantOntoBranch;
import org.anabranch.store.Store;
import org.anabranch.versioning.check.CheckLevel;
import org.anabranch.versioning.check.CheckReport;
import org.anabranch.versioning.check.CheckStage;
import org.anabranch.versioning.check.RepositoryCheck;
import org.anabranch.versioning.commit.BranchWriter;
import org.anabranch.versioning.commit.ChangePlanner;
import org.anabranch.versioning.read.ChildReader;
import org.anabranch.versioning.read.ContentReader;
import org.anabranch.versioning.read.DiffReader;
import org.anabranch.versioning.read.EntryReader;
import org.anabranch.versioning.read.HistoryReader;
import org.anabranch.versioning.read.KeyHistoryReader;
import org.anabranch.versioning.refs.HeadPublisher;
import org.anabranch.versioning.refs.NumberBlocks;
import org.anabranch.versioning.refs.Receipts;
import org.anabranch.versioning.refs.RecentHeadsLimit;
import org.anabranch.versioning.refs.RecentHeadsReader;
import org.anabranch.versioning.refs.ReferenceChanges;
import org.anabranch.versioning.refs.ReferenceListing;
import org.anabranch.versioning.refs.References;
import org.anabranch.versioning.refs.Repository;
import org.anabranch.versioning.sweep.StoreSweep;
import org.anabranch.versioning.sweep.SweepMode;
import org.anabranch.versioning.sweep.SweepReport;
import org.anabranch.versioning.sweep.SweepStage;
import org.anabranch.versioning.transfer.RepositoryExport;

/** Makes the use cases, one of each. */
public final class UseCases {

    /** Longer than any write lasts, and than clocks differ. */
    private static final Duration SHORTEST_GRACE = Duration.ofMinutes(1);

    /** Made at once, so that a lifetime that cannot be one is told at the start. */
    @Startup
    @Produces
    @Singleton
    Repeats repeats(
            References references,
            Store store,
            ObjectReader objects,
            CommitGraph graph,
            InstantSource clock,
            AnabranchConfig config) {
        return new Repeats(
                references,
                new Receipts(store, objects, graph, clock, config.idempotency().lifetime()));
    }

    @Produces
    @Singleton
    CommitToBranch commitToBranch(
            References references, ChangePlanner planner, BranchWriter writer, Repeats repeats, InstantSource clock) {
        return new CommitToBranch(references, planner, writer, repeats, clock);
    }

    @Produces
    @Singleton
    MergeIntoBranch mergeIntoBranch(
            References references, ObjectReader objects, BranchWriter writer, Repeats repeats, InstantSource clock) {
        return new MergeIntoBranch(references, objects, writer, repeats, clock);
    }

    @Produces
    @Singleton
    TransplantOntoBranch transplantOntoBranch(
            References references, ObjectReader objects, BranchWriter writer, Repeats repeats, InstantSource clock) {
        return new TransplantOntoBranch(references, objects, writer, repeats, clock);
    }

    @Produces
    @Singleton
    RevertOnBranch revertOnBranch(
            References references, ObjectReader objects, BranchWriter writer, Repeats repeats, InstantSource clock) {
        return new RevertOnBranch(references, objects, writer, repeats, clock);
    }

    @Produces
    @Singleton
    ReadContents readContents(References references, KeyIndex index, ObjectReader objects) {
        return new ReadContents(references, new ContentReader(index, objects));
    }

    @Produces
    @Singleton
    EntryReader entries(CommitGraph graph, KeyIndex index, ObjectReader objects, Filters filters) {
        return new EntryReader(graph, index, objects, filters);
    }

    @Produces
    @Singleton
    ListEntries listEntries(References references, EntryReader entries) {
        return new ListEntries(references, entries);
    }

    @Produces
    @Singleton
    ListLastChanges listLastChanges(References references, EntryReader entries) {
        return new ListLastChanges(references, entries);
    }

    @Produces
    @Singleton
    ChildReader children(CommitGraph graph, KeyIndex index, ObjectReader objects) {
        return new ChildReader(graph, index, objects);
    }

    @Produces
    @Singleton
    ListChildren listChildren(References references, ChildReader children) {
        return new ListChildren(references, children);
    }

    @Produces
    @Singleton
    CountKeys countKeys(References references, ChildReader children) {
        return new CountKeys(references, children);
    }

    @Produces
    @Singleton
    ReadKeyHistory readKeyHistory(References references, CommitGraph graph, KeyIndex index, ObjectReader objects) {
        return new ReadKeyHistory(references, new KeyHistoryReader(graph, index, objects));
    }

    @Produces
    @Singleton
    ReadHistory readHistory(
            References references, CommitGraph graph, KeyIndex index, ObjectReader objects, Filters filters) {
        return new ReadHistory(references, new HistoryReader(references, graph, index, objects, filters));
    }

    @Produces
    @Singleton
    DiffReferences diffReferences(References references, KeyIndex index, ObjectReader objects, Filters filters) {
        return new DiffReferences(references, new DiffReader(index, objects, filters));
    }

    @Produces
    @Singleton
    ReferenceListing listing(Store store, ObjectReader objects, CommitGraph graph, Repository repository) {
        return new ReferenceListing(store, objects, graph, repository.defaultBranch());
    }

    @Produces
    @Singleton
    ReferenceChanges changes(
            Store store, StoredObjects objects, HeadPublisher publisher, NumberBlocks numbers, InstantSource clock) {
        return new ReferenceChanges(store, objects, publisher, numbers, clock);
    }

    @Produces
    @Singleton
    ListReferences listReferences(ReferenceListing listing, Filters filters) {
        return new ListReferences(listing, text -> filters.timed(filters.references(text)));
    }

    @Produces
    @Singleton
    GetReference getReference(References references, ReferenceListing listing) {
        return new GetReference(references, listing);
    }

    @Produces
    @Singleton
    CreateReference createReference(References references, ReferenceChanges changes, Repeats repeats) {
        return new CreateReference(references, changes, repeats);
    }

    @Produces
    @Singleton
    AssignReference assignReference(References references, ReferenceChanges changes, Repeats repeats) {
        return new AssignReference(references, changes, repeats);
    }

    @Produces
    @Singleton
    DeleteReference deleteReference(References references, ReferenceChanges changes, Repeats repeats) {
        return new DeleteReference(references, changes, repeats);
    }

    @Produces
    @Singleton
    RecentChanges recentChanges(
            References references,
            ObjectReader objects,
            CommitGraph graph,
            RecentHeadsLimit limit,
            InstantSource clock) {
        return new RecentChanges(references, new RecentHeadsReader(objects, graph, limit, clock));
    }

    @Produces
    @Singleton
    BackgroundRun<CheckLevel, CheckStage, CheckReport> check(Store store, InstantSource clock, MeterRegistry meters) {
        RepositoryCheck check = new RepositoryCheck(store);
        return new BackgroundRun<>(
                "repository-check",
                (level, progress, isToldToEnd) -> check.run(level, progress::at, isToldToEnd),
                RunMetrics.ofChecks(
                        meters,
                        clock,
                        new RunLog<>(
                                "check of the repository",
                                report -> report.isClean()
                                        ? "nothing is wrong"
                                        : report.findings().size() + " findings"
                                                + (report.complete() ? "" : ", and not everything was checked"))),
                clock);
    }

    /** Made at once, so that periods that cannot be any are told at the start. */
    @Startup
    @Produces
    @Singleton
    BackgroundRun<SweepMode, SweepStage, SweepReport> sweep(
            Store store, InstantSource clock, AnabranchConfig config, MeterRegistry meters) {
        StoreSweep sweep = new StoreSweep(store, clock, grace(config));
        return new BackgroundRun<>(
                "store-sweep",
                (mode, progress, isToldToEnd) -> sweep.run(mode, progress::at, isToldToEnd),
                RunMetrics.ofSweeps(
                        meters,
                        clock,
                        new RunLog<>(
                                "sweep of the store",
                                report -> String.format(
                                        Locale.ROOT,
                                        "%s, %,d rows deleted, %,d condemned, %,d spared, %,d wait%s",
                                        report.mode(),
                                        report.deleted(),
                                        report.condemned(),
                                        report.spared(),
                                        report.waiting(),
                                        report.complete() ? "" : "; it was told to end early"))),
                clock);
    }

    static Duration grace(AnabranchConfig config) {
        Duration grace = config.sweep().grace();
        if (grace.compareTo(SHORTEST_GRACE) < 0) {
            throw new IllegalArgumentException("anabranch.sweep.grace (" + grace
                    + ") must be a minute at least: writes that are under way must end in that time");
        }
        return grace;
    }

    @Startup
    @Produces
    @Singleton
    SweepSchedule sweepSchedule(BackgroundRun<SweepMode, SweepStage, SweepReport> sweep, AnabranchConfig config) {
        Optional<Duration> interval = config.sweep().interval();
        if (interval.filter(every -> every.compareTo(SHORTEST_GRACE) < 0).isPresent()) {
            throw new IllegalArgumentException("anabranch.sweep.interval (" + interval.get()
                    + ") must be a minute at least; leave it out for none");
        }
        return new SweepSchedule(sweep, interval);
    }

    @Produces
    @Singleton
    ExportRepository exports(Store store, InstantSource clock, MeterRegistry meters) {
        return new ExportRepository(
                new RepositoryExport(store, clock),
                RunMetrics.ofExports(
                        meters,
                        clock,
                        new RunLog<>(
                                "export of the repository",
                                report -> String.format(
                                        Locale.ROOT,
                                        "%,d references, %,d commits, %,d bytes",
                                        report.references(),
                                        report.commits(),
                                        report.bytes()))));
    }

    @Produces
    @Singleton
    GetConfig getConfig(Repository repository) {
        return new GetConfig(repository);
    }

    @Produces
    @Singleton
    PreviousHeads previousHeads(ObjectReader objects) {
        return new PreviousHeads(objects);
    }

    @Produces
    @Singleton
    RepositoryConfigs repositoryConfigs(Repository repository) {
        return new RepositoryConfigs(repository);
    }
}
