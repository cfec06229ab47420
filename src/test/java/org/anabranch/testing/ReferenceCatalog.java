package org.anabranch.testing;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.anabranch.dag.CommitGraph;
import org.anabranch.filter.FilterLimits;
import org.anabranch.filter.Filters;
import org.anabranch.model.CommitId;
import org.anabranch.model.RefSpec;
import org.anabranch.model.Reference;
import org.anabranch.model.ReferenceKind;
import org.anabranch.model.ReferenceName;
import org.anabranch.service.AssignReference;
import org.anabranch.service.CreateReference;
import org.anabranch.service.DeleteReference;
import org.anabranch.service.GetReference;
import org.anabranch.service.ListReferences;
import org.anabranch.service.RecentChanges;
import org.anabranch.service.Repeats;
import org.anabranch.store.Store;
import org.anabranch.store.memory.MemoryStore;
import org.anabranch.versioning.commit.WriteLimits;
import org.anabranch.versioning.refs.HeadPublisher;
import org.anabranch.versioning.refs.NumberBlocks;
import org.anabranch.versioning.refs.RecentHeadsLimit;
import org.anabranch.versioning.refs.RecentHeadsReader;
import org.anabranch.versioning.refs.ReferenceChanges;
import org.anabranch.versioning.refs.ReferenceListing;
import org.anabranch.versioning.refs.References;

/** A catalog with the use cases of references; its references are changed through a store of its own, which may be faulty. */
public final class ReferenceCatalog implements AutoCloseable {

    public static final RecentHeadsLimit LIMIT = new RecentHeadsLimit(20, Duration.ofSeconds(300));

    private final TestCatalog catalog;
    private final References references;
    private final CreateReference create;
    private final AssignReference assign;
    private final DeleteReference delete;
    private final GetReference get;
    private final ListReferences list;
    private final RecentChanges recentChanges;
    private Instant now = Instant.parse("2026-01-31T12:00:00Z");

    public ReferenceCatalog() {
        this(new MemoryStore());
    }

    public ReferenceCatalog(Store store) {
        this(store, store);
    }

    /**
     * @param store where the catalog is
     * @param changed the same store, for creating, assigning and deleting
     */
    public ReferenceCatalog(Store store, Store changed) {
        this(store, changed, new TestCatalog(store));
    }

    /**
     * A process on a store that is prepared already and that anything may happen to.
     *
     * @param sound the same store, from which numbers are taken
     * @param firstId ids are counted up from here
     */
    public static ReferenceCatalog process(Store store, Store sound, long firstId) {
        return new ReferenceCatalog(store, store, new TestCatalog(store, sound, WriteLimits.DEFAULT, firstId));
    }

    private ReferenceCatalog(Store store, Store changed, TestCatalog catalog) {
        this.catalog = catalog;
        CommitGraph graph = new CommitGraph(catalog.objects());
        references = new References(store, catalog.objects(), graph, TestCatalog.MAIN);
        ReferenceListing listing = new ReferenceListing(store, catalog.objects(), graph, TestCatalog.MAIN);
        ReferenceChanges changes = new ReferenceChanges(
                changed, catalog.objects(), new HeadPublisher(changed, LIMIT), new NumberBlocks(store, 10), () -> now);
        Repeats repeats = catalog.repeats();
        create = new CreateReference(references, changes, repeats);
        assign = new AssignReference(references, changes, repeats);
        delete = new DeleteReference(references, changes, repeats);
        get = new GetReference(references, listing);
        list = new ListReferences(listing, new Filters(FilterLimits.DEFAULT, InstantSource.system())::references);
        recentChanges =
                new RecentChanges(references, new RecentHeadsReader(catalog.objects(), graph, LIMIT, () -> now));
    }

    public TestCatalog commits() {
        return catalog;
    }

    public References references() {
        return references;
    }

    public GetReference get() {
        return get;
    }

    public CreateReference create() {
        return create;
    }

    public AssignReference assign() {
        return assign;
    }

    public DeleteReference delete() {
        return delete;
    }

    public ListReferences list() {
        return list;
    }

    public RecentChanges recentChanges() {
        return recentChanges;
    }

    public void tick(Duration duration) {
        now = now.plus(duration);
    }

    /** Commits a table to a branch, and returns the new head. */
    public CommitId commit(String branch, String key) {
        return catalog.commit(branch, TestCatalog.put(key, TestCatalog.table(key)));
    }

    public Reference.Named create(String name, ReferenceKind kind, CommitId at) {
        return create.create(
                new ReferenceName(name), kind, TestCatalog.at(TestCatalog.MAIN, at), Callers.UNRESTRICTED, null);
    }

    public Reference.Named branch(String name, CommitId at) {
        return create(name, ReferenceKind.BRANCH, at);
    }

    /** Creates empty references. */
    public void create(ReferenceKind kind, List<String> names) {
        names.forEach(name -> create(name, kind, CommitId.NO_ANCESTOR));
    }

    public static RefSpec ref(String text) {
        return RefSpec.parse(text);
    }

    @Override
    public void close() {
        catalog.close();
    }
}
