package org.anabranch.testing;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.anabranch.dag.CommitGraph;
import org.anabranch.index.KeyIndex;
import org.anabranch.index.KeyRange;
import org.anabranch.model.CommitId;
import org.anabranch.model.CommitOutcome;
import org.anabranch.model.CommitOutcome.Committed;
import org.anabranch.model.CommitRequest;
import org.anabranch.model.Content;
import org.anabranch.model.ContentId;
import org.anabranch.model.ContentKey;
import org.anabranch.model.GivenMeta;
import org.anabranch.model.HashSpec;
import org.anabranch.model.IcebergTable;
import org.anabranch.model.Idempotency;
import org.anabranch.model.KeyMergeMode;
import org.anabranch.model.MergeMode;
import org.anabranch.model.MergeOutcome;
import org.anabranch.model.MergeRequest;
import org.anabranch.model.Namespace;
import org.anabranch.model.Operation;
import org.anabranch.model.RefSpec;
import org.anabranch.model.ReferenceKind;
import org.anabranch.model.RevertRequest;
import org.anabranch.model.TransplantRequest;
import org.anabranch.object.Commit;
import org.anabranch.object.IndexEntry;
import org.anabranch.object.StoredObjects;
import org.anabranch.security.Access;
import org.anabranch.service.CommitToBranch;
import org.anabranch.service.MergeIntoBranch;
import org.anabranch.service.Repeats;
import org.anabranch.service.RevertOnBranch;
import org.anabranch.service.TransplantOntoBranch;
import org.anabranch.store.Change;
import org.anabranch.store.Head;
import org.anabranch.store.ReferenceRow;
import org.anabranch.store.RepositoryRow;
import org.anabranch.store.Store;
import org.anabranch.store.memory.MemoryStore;
import org.anabranch.versioning.commit.BranchWriter;
import org.anabranch.versioning.commit.ChangePlanner;
import org.anabranch.versioning.commit.Staging;
import org.anabranch.versioning.commit.Ticker;
import org.anabranch.versioning.commit.WriteLimits;
import org.anabranch.versioning.commit.WriteListener;
import org.anabranch.versioning.refs.HeadPublisher;
import org.anabranch.versioning.refs.NumberBlocks;
import org.anabranch.versioning.refs.Receipts;
import org.anabranch.versioning.refs.RecentHeadsLimit;
import org.anabranch.versioning.refs.References;
import org.jspecify.annotations.Nullable;

/**
 * A catalog on a store, written to through the use cases and read back whole, for tests of commits and merges. Its branch
 * {@code main} exists and is empty. Ids are counted up, and time passes only when the catalog writes or waits.
 */
public final class TestCatalog implements AutoCloseable {

    public static final String MAIN = "main";

    /** How long the catalog knows a repeat. */
    public static final Duration RECEIPT_LIFETIME = Duration.ofHours(24);

    private static final byte[] SALT = "a salt for tests".getBytes(StandardCharsets.US_ASCII);

    private final Store store;
    private final StoredObjects objects;
    private final BranchWriter writer;
    private final CommitToBranch commits;
    private final MergeIntoBranch merges;
    private final TransplantOntoBranch transplants;
    private final RevertOnBranch reverts;
    private final Repeats repeats;
    private Access access = Callers.UNRESTRICTED;
    private final StoppedTicker ticker = new StoppedTicker();
    private final AtomicLong nextId;
    private final AtomicLong micros = new AtomicLong(1_700_000_000_000_000L);

    public TestCatalog() {
        this(new MemoryStore());
    }

    public TestCatalog(Store store) {
        this(store, store, WriteLimits.DEFAULT, 0);
    }

    /**
     * @param reads the store that references are read and rows written through
     * @param store the same store, to prepare it: the repository and its branch are made there if they are missing
     * @param firstId ids are counted up from here; a second catalog on a store starts elsewhere
     */
    public TestCatalog(Store reads, Store store, WriteLimits limits, long firstId) {
        this(reads, store, limits, firstId, WriteListener.NONE);
    }

    /** @param listener hears of its writes */
    public TestCatalog(Store reads, Store store, WriteLimits limits, long firstId, WriteListener listener) {
        this.store = reads;
        this.nextId = new AtomicLong(firstId);
        if (store.repository().isEmpty()) {
            store.write(
                    List.of(),
                    List.of(),
                    new Change.OfRepository(null, new RepositoryRow(new UUID(0, 0), 1, SALT, MAIN, 0, 0, Map.of(), 1)),
                    List.of());
            createBranch(store, MAIN, Head.NO_ANCESTOR);
        }
        objects = new StoredObjects(reads, 64 << 20);
        CommitGraph graph = new CommitGraph(objects);
        References references = new References(reads, objects, graph, MAIN);
        writer = new BranchWriter(
                new HeadPublisher(reads, RecentHeadsLimit.DEFAULT),
                new Staging(objects, SALT, new NumberBlocks(store, 100)),
                this::now,
                ticker,
                limits,
                listener);
        repeats = new Repeats(references, new Receipts(reads, objects, graph, this::now, RECEIPT_LIFETIME));
        commits = new CommitToBranch(
                references, new ChangePlanner(new KeyIndex(objects), this::newId), writer, repeats, this::now);
        merges = new MergeIntoBranch(references, objects, writer, repeats, this::now);
        transplants = new TransplantOntoBranch(references, objects, writer, repeats, this::now);
        reverts = new RevertOnBranch(references, objects, writer, repeats, this::now);
    }

    private static void createBranch(Store store, String name, Head head) {
        store.write(
                List.of(),
                List.of(head.number()),
                new Change.OfReference(
                        name,
                        null,
                        new ReferenceRow(name, ReferenceKind.BRANCH, head, store.numbers(1), 1, 0, List.of())),
                List.of());
    }

    private Instant now() {
        return Instant.EPOCH.plus(Duration.ofNanos(micros.addAndGet(1_000) * 1_000));
    }

    private ContentId newId() {
        return new ContentId(new UUID(0, nextId.incrementAndGet()));
    }

    /** Time that stands still until somebody waits. */
    private static final class StoppedTicker implements Ticker {

        private final AtomicLong nanos = new AtomicLong();

        @Override
        public long nanos() {
            return nanos.get();
        }

        @Override
        public void pause(long duration) {
            nanos.addAndGet(duration);
        }
    }

    /** From now on, who writes where it is not said otherwise. */
    public void actAs(Access caller) {
        access = caller;
    }

    /** Where it all is. */
    public Store store() {
        return store;
    }

    public Repeats repeats() {
        return repeats;
    }

    /** Lets time pass for the catalog. */
    public void tick(Duration duration) {
        micros.addAndGet(duration.toNanos() / 1_000);
    }

    /** Lets time pass for what waits or is judged. */
    public void pause(Duration duration) {
        ticker.pause(duration.toNanos());
    }

    public BranchWriter writer() {
        return writer;
    }

    public StoredObjects objects() {
        return objects;
    }

    /** Creates a branch where another one is. */
    public void branch(String name, String from) {
        createBranch(store, name, row(from).head());
    }

    /** Creates a branch at a commit. */
    public void branchAt(String name, CommitId at) {
        createBranch(store, name, commit(at).head());
    }

    public ReferenceRow row(String branch) {
        return store.reference(branch).orElseThrow();
    }

    public CommitId head(String branch) {
        return row(branch).head().id();
    }

    public Commit commit(CommitId id) {
        return objects.findCommit(id).orElseThrow();
    }

    /** The first-parent line of a branch, newest first. */
    public List<Commit> log(String branch) {
        List<Commit> log = new ArrayList<>();
        new CommitGraph(objects).line(commit(head(branch))).forEachRemaining(log::add);
        return log;
    }

    /** Commits with the head as expected commit, and demands that it works. */
    public CommitId commit(String branch, Operation... operations) {
        return ((Committed) commitAt(branch, head(branch), operations)).head();
    }

    public CommitOutcome commitAt(String branch, CommitId expected, Operation... operations) {
        return commit(branch, expected, "commit", operations);
    }

    public CommitOutcome commit(String branch, CommitId expected, String message, Operation... operations) {
        return commit(
                new CommitRequest(at(branch, expected), GivenMeta.ofMessage(message), List.of(operations)), access);
    }

    public CommitOutcome commit(CommitRequest request, String committer) {
        return commit(request, Callers.unrestricted(committer));
    }

    public CommitOutcome commit(CommitRequest request, Access caller) {
        return commits.commit(request, caller, null);
    }

    public CommitOutcome commit(CommitRequest request, Idempotency idempotency) {
        return commit(request, access, idempotency);
    }

    public CommitOutcome commit(CommitRequest request, Access caller, Idempotency idempotency) {
        return commits.commit(request, caller, idempotency);
    }

    /** Merges the head of one branch into another. */
    public MergeOutcome merge(String source, String target, KeyMergeMode... modes) {
        return merge(source, target, MergeMode.NORMAL, false, modes);
    }

    public MergeOutcome merge(
            String source, String target, MergeMode defaultMode, boolean dryRun, KeyMergeMode... modes) {
        return merge(new MergeRequest(
                at(target, head(target)),
                at(source, head(source)),
                GivenMeta.ofMessage(""),
                defaultMode,
                List.of(modes),
                dryRun));
    }

    public MergeOutcome merge(MergeRequest request) {
        return merges.merge(request, access, null);
    }

    public MergeOutcome merge(MergeRequest request, Access caller) {
        return merges.merge(request, caller, null);
    }

    public MergeOutcome merge(MergeRequest request, Idempotency idempotency) {
        return merges.merge(request, access, idempotency);
    }

    public MergeOutcome transplant(String target, CommitId... sources) {
        return transplant(target, MergeMode.NORMAL, false, List.of(), sources);
    }

    public MergeOutcome transplant(
            String target, MergeMode defaultMode, boolean dryRun, List<KeyMergeMode> modes, CommitId... sources) {
        return transplant(
                new TransplantRequest(
                        at(target, head(target)),
                        null,
                        List.of(sources).stream()
                                .map(id -> new HashSpec(id.toString(), List.of()))
                                .toList(),
                        null,
                        defaultMode,
                        modes,
                        dryRun),
                (Idempotency) null);
    }

    public MergeOutcome transplant(TransplantRequest request) {
        return transplant(request, (Idempotency) null);
    }

    public MergeOutcome transplant(TransplantRequest request, Access caller) {
        return transplants.transplant(request, caller, null);
    }

    public MergeOutcome transplant(TransplantRequest request, @Nullable Idempotency idempotency) {
        return transplants.transplant(request, access, idempotency);
    }

    /** Takes back a commit of a branch. */
    public MergeOutcome revert(String branch, CommitId commit) {
        return revert(branch, new RevertRequest.OfCommit(new HashSpec(commit.toString(), List.of())));
    }

    /** Puts a key of a branch back to an earlier commit. */
    public MergeOutcome revert(String branch, String key, CommitId earlier) {
        return revert(branch, new RevertRequest.OfKey(key(key), new HashSpec(earlier.toString(), List.of())));
    }

    private MergeOutcome revert(String branch, RevertRequest.Scope scope) {
        return revert(new RevertRequest(
                at(branch, head(branch)), scope, GivenMeta.ofMessage(""), MergeMode.NORMAL, List.of(), false));
    }

    public MergeOutcome revert(RevertRequest request) {
        return revert(request, (Idempotency) null);
    }

    public MergeOutcome revert(RevertRequest request, Access caller) {
        return reverts.revert(request, caller, null);
    }

    public MergeOutcome revert(RevertRequest request, @Nullable Idempotency idempotency) {
        return reverts.revert(request, access, idempotency);
    }

    public static RefSpec at(@Nullable String branch, CommitId commit) {
        return new RefSpec(branch, new HashSpec(commit.toString(), List.of()));
    }

    /** Everything that the head of a branch holds. */
    public SortedMap<ContentKey, Content> contents(String branch) {
        return contents(head(branch));
    }

    public SortedMap<ContentKey, Content> contents(CommitId commit) {
        List<IndexEntry> entries = new ArrayList<>();
        Iterator<IndexEntry> all = new KeyIndex(objects).range(commit(commit).tree(), KeyRange.ALL);
        all.forEachRemaining(entries::add);
        List<Content> values = objects.contents(entries);
        SortedMap<ContentKey, Content> contents = new TreeMap<>();
        for (int i = 0; i < entries.size(); i++) {
            contents.put(entries.get(i).key().toContentKey(), values.get(i));
        }
        return contents;
    }

    public Content content(String branch, String key) {
        return contents(branch).get(key(key));
    }

    public ContentId id(String branch, String key) {
        return content(branch, key).id();
    }

    @Override
    public void close() {
        writer.close();
    }

    /** A key from elements joined with dots. */
    public static ContentKey key(String dotted) {
        return ContentKey.of(dotted.split("\\."));
    }

    /** A new table without id, whose state is told by a word. */
    public static Content table(String state) {
        return new IcebergTable(null, state, 1, 1, 1, 1);
    }

    public static Content namespace() {
        return new Namespace(null, List.of(), Map.of());
    }

    public static Operation put(String key, Content content) {
        return new Operation.Put(key(key), content);
    }

    public static Operation put(String key, Content content, ContentId id) {
        return new Operation.Put(key(key), content.withId(id));
    }

    public static Operation delete(String key) {
        return new Operation.Delete(key(key));
    }

    public static Operation unchanged(String key) {
        return new Operation.Unchanged(key(key));
    }

    public static KeyMergeMode mode(String key, MergeMode mode) {
        return new KeyMergeMode(key(key), mode, null, null);
    }
}
