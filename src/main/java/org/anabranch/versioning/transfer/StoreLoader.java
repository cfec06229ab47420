package org.anabranch.versioning.transfer;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.anabranch.dag.CommitGraph;
import org.anabranch.index.IndexEditor;
import org.anabranch.index.KeyIndex;
import org.anabranch.model.CommitId;
import org.anabranch.model.Content;
import org.anabranch.model.ContentId;
import org.anabranch.model.ContentKey;
import org.anabranch.model.ReferenceKind;
import org.anabranch.object.Commit;
import org.anabranch.object.CommitRowBuilder;
import org.anabranch.object.CommitRowBuilder.Built;
import org.anabranch.object.ExportedCommit;
import org.anabranch.object.ExportedReference;
import org.anabranch.object.ExportedReference.EarlierHead;
import org.anabranch.object.GraphPosition;
import org.anabranch.object.IndexEntry;
import org.anabranch.object.IndexKey;
import org.anabranch.object.LogicalCommit;
import org.anabranch.object.StagedObjects;
import org.anabranch.object.StoredObjects;
import org.anabranch.object.Tree;
import org.anabranch.store.Change;
import org.anabranch.store.CommitRow;
import org.anabranch.store.Head;
import org.anabranch.store.Pages;
import org.anabranch.store.PublishedHead;
import org.anabranch.store.ReferenceRow;
import org.anabranch.store.RepositoryRow;
import org.anabranch.store.Store;
import org.anabranch.store.WriteOutcome;
import org.anabranch.store.WriteOutcome.Written;
import org.anabranch.versioning.refs.NumberBlocks;
import org.anabranch.versioning.refs.Repository;
import org.jspecify.annotations.Nullable;

/**
 * Fills a store with a repository that nobody sees before it is complete. For one thread.
 *
 * <p>Order: {@link #begin}, commits with parents before children, {@link #endCommits}, references, {@link #end}. Every batch of
 * commits moves the repository record by a version, the last one also when nothing is left to write, so of two imports into one
 * store one fails before it touches what the other made visible.
 */
public final class StoreLoader {

    private static final long CACHE_BYTES = 64 << 20;
    private static final int NUMBERS_PER_BLOCK = 1_000;
    private static final int REFERENCES_PER_TRIP = 500;

    /** What is written at once: enough that a durable write is not felt, little enough to hold. */
    private static final int BATCH_COMMITS = 500;

    private static final long BATCH_BYTES = 4 << 20;

    private final Store store;
    private final NumberBlocks numbers;
    private final StoredObjects stored;
    private final byte[] salt;
    private final EarlierCommits earlierCommits;
    private RepositoryRow row;

    /** By ordinal, from 1. */
    private long[] rowNumbers = new long[1_024];

    private int commits;
    private long found;
    private StagedObjects staged;
    private final List<Built> batch = new ArrayList<>();
    private long batchBytes;

    private StoreLoader(Store store, RepositoryRow row, EarlierCommits earlierCommits) {
        this.store = store;
        this.row = row;
        this.earlierCommits = earlierCommits;
        this.numbers = new NumberBlocks(store, NUMBERS_PER_BLOCK);
        this.stored = new StoredObjects(store, CACHE_BYTES);
        this.staged = new StagedObjects(stored);
        this.salt = row.salt();
    }

    /**
     * Writes the record of a repository that is being imported, or goes on with the one that is there.
     *
     * @param repository as it shall be
     * @param from says where it comes from, for whoever meets it half done
     * @throws TransferRefusedException if there is another repository in the store
     */
    public static StoreLoader begin(Store store, RepositoryRow repository, String from) {
        RepositoryRow fresh = new RepositoryRow(
                repository.id(),
                RepositoryRow.BEING_IMPORTED,
                repository.salt(),
                repository.defaultBranch(),
                repository.createdAtMicros(),
                repository.oldestCommitAtMicros(),
                Map.of(Repository.IMPORTED_FROM, from),
                1);
        Optional<RepositoryRow> there = store.repository();
        if (there.isPresent()) {
            return new StoreLoader(store, requireSame(there.get(), fresh), EarlierCommits.list(store));
        }
        require(store.write(List.of(), List.of(), new Change.OfRepository(null, fresh), List.of()));
        return new StoreLoader(store, fresh, new EarlierCommits());
    }

    /** The record of an import into a store that was broken off; empty if there is nothing in the store. */
    public static Optional<RepositoryRow> brokenOff(Store store, String from) {
        Optional<RepositoryRow> there = store.repository();
        there.ifPresent(row -> requireSame(row, from));
        return there;
    }

    private static RepositoryRow requireSame(RepositoryRow there, RepositoryRow fresh) {
        requireSame(there, fresh.configs().get(Repository.IMPORTED_FROM));
        if (!there.id().equals(fresh.id()) || !Arrays.equals(there.salt(), fresh.salt())) {
            throw new TransferRefusedException(
                    "The store has repository " + there.id() + ", half imported, and this is " + fresh.id()
                            + ": go on with the import of that one, or clear the store");
        }
        return there;
    }

    private static void requireSame(RepositoryRow there, @Nullable String from) {
        if (!there.isBeingImported()) {
            throw new TransferRefusedException(
                    "The store has repository " + there.id() + " already, with default branch '"
                            + there.defaultBranch()
                            + "', and an import needs an empty one: choose a folder or database that no service"
                            + " was started on, or clear this one");
        }
        String before = there.configs().get(Repository.IMPORTED_FROM);
        if (before != null && !before.equals(from)) {
            throw new TransferRefusedException(
                    "An import from " + before + " into this store was broken off, and this one is from " + from
                            + ": go on with that one, or clear the store");
        }
    }

    /** How many commits an earlier attempt had written. */
    public long found() {
        return found;
    }

    /** Takes a commit whose parents were taken before. Its ordinal is the next one. */
    public void add(ExportedCommit exported) {
        if (exported.ordinal() != commits + 1) {
            throw new IllegalArgumentException("Commits come in the order of their ordinals");
        }
        if (++commits > rowNumbers.length) {
            rowNumbers = Arrays.copyOf(rowNumbers, 2 * rowNumbers.length);
        }
        OptionalLong known = earlierCommits.number(exported.id());
        if (known.isEmpty()) {
            Built built = build(exported);
            staged.add(built);
            batch.add(built);
            batchBytes += built.row().chunks().stream()
                    .mapToLong(chunk -> chunk.length)
                    .sum();
            rowNumbers[commits - 1] = built.row().number();
        } else {
            rowNumbers[commits - 1] = known.getAsLong();
            found++;
        }
        if (batch.size() >= BATCH_COMMITS || batchBytes >= BATCH_BYTES) {
            flush();
        }
    }

    private Built build(ExportedCommit exported) {
        LogicalCommit logical = exported.commit();
        List<Commit> parents =
                staged.commits(exported.parents().stream().map(this::rowNumber).toList());
        GraphPosition position = new CommitGraph(staged).position(parents);
        CommitRowBuilder builder = new CommitRowBuilder(numbers.getAsLong(), staged);
        SortedMap<IndexKey, Optional<IndexEntry>> operations = new TreeMap<>();
        for (Map.Entry<ContentKey, Optional<Content>> operation :
                logical.operations().entrySet()) {
            IndexKey key = IndexKey.of(operation.getKey());
            Optional<IndexEntry> entry = operation
                    .getValue()
                    .map(content -> new IndexEntry(
                            key, content.type(), content.id(), position.seq(), builder.addContent(content)));
            operations.put(key, entry);
        }
        Tree tree = new IndexEditor(staged, salt).apply(parents.getFirst().tree(), operations, builder);
        Built built = builder.build(parents, position, tree, logical.createdAtMicros(), logical.meta(), operations);
        if (!built.commit().id().equals(exported.id())) {
            throw new IllegalStateException(
                    "Commit " + exported.id() + " became " + built.commit().id());
        }
        return built;
    }

    private long rowNumber(int ordinal) {
        return ordinal == 0 ? 0 : rowNumbers[ordinal - 1];
    }

    private void flush() {
        List<CommitRow> rows = batch.stream().map(Built::row).toList();
        Set<Long> adopted = new HashSet<>();
        rows.forEach(each -> adopted.addAll(each.parents()));
        rows.forEach(each -> adopted.remove(each.number()));
        RepositoryRow next = row.next(RepositoryRow.BEING_IMPORTED, row.oldestCommitAtMicros(), row.configs());
        require(store.write(rows, adopted, new Change.OfRepository(row, next), List.of()));
        row = next;
        batch.forEach(stored::remember);
        batch.clear();
        batchBytes = 0;
        staged = new StagedObjects(stored);
    }

    /** The tree of a commit that was taken; of 0 it is empty. */
    public Tree tree(int ordinal) {
        return staged.commit(rowNumber(ordinal)).tree();
    }

    /** The content ids of those keys that a commit holds, which was taken. */
    public Map<ContentKey, ContentId> contentIds(int ordinal, Collection<ContentKey> keys) {
        Map<ContentKey, ContentId> ids = new HashMap<>();
        find(tree(ordinal), keys).forEach((key, entry) -> ids.put(key.toContentKey(), entry.contentId()));
        return ids;
    }

    /** The contents of those keys that a tree holds. */
    public Map<ContentKey, Content> contents(Tree tree, Collection<ContentKey> keys) {
        List<IndexEntry> entries = List.copyOf(find(tree, keys).values());
        List<Content> contents = staged.contents(entries);
        Map<ContentKey, Content> found = new HashMap<>();
        for (int i = 0; i < entries.size(); i++) {
            found.put(entries.get(i).key().toContentKey(), contents.get(i));
        }
        return found;
    }

    private SortedMap<IndexKey, IndexEntry> find(Tree tree, Collection<ContentKey> keys) {
        return new KeyIndex(staged)
                .findAll(tree, keys.stream().map(IndexKey::of).toList());
    }

    /**
     * Writes what is left of the commits, and takes away references of an earlier attempt, which may have been of another state of the
     * repository.
     */
    public void endCommits() {
        // Listed before the record moves: if another import ended in between, its references are listed, but the record
        // is not as it was.
        List<ReferenceRow> earlier = Arrays.stream(ReferenceKind.values())
                .flatMap(kind ->
                        Pages.all("", last -> store.references(kind, last, REFERENCES_PER_TRIP), ReferenceRow::name))
                .flatMap(List::stream)
                .toList();
        flush();
        earlier.forEach(each ->
                require(store.write(List.of(), List.of(), new Change.OfReference(each.name(), each, null), List.of())));
    }

    /** Creates a reference at commits that were taken. Costs a durable write. */
    public void add(ExportedReference reference) {
        Map<CommitId, Long> heads = new HashMap<>(store.find(Stream.concat(
                        Stream.of(reference.head()),
                        reference.published().stream().map(EarlierHead::head))
                .distinct()
                .toList()));
        heads.put(CommitId.NO_ANCESTOR, 0L);
        ReferenceRow created = new ReferenceRow(
                reference.name(),
                reference.kind(),
                head(reference.head(), heads),
                numbers.getAsLong(),
                1,
                reference.createdAtMicros(),
                reference.published().stream()
                        .map(earlier -> new PublishedHead(head(earlier.head(), heads), earlier.publishedAtMicros()))
                        .toList());
        require(store.write(
                List.of(),
                Set.copyOf(heads.values()),
                new Change.OfReference(created.name(), null, created),
                List.of()));
    }

    private static Head head(CommitId id, Map<CommitId, Long> numbers) {
        Long number = numbers.get(id);
        if (number == null) {
            throw new IllegalStateException("Commit " + id + " was not imported");
        }
        return new Head(number, id);
    }

    /** Makes everything visible: the record as it shall be. */
    public void end(long oldestCommitAtMicros, Map<String, String> configs) {
        RepositoryRow complete = row.next(Repository.FORMAT_VERSION, oldestCommitAtMicros, configs);
        require(store.write(List.of(), List.of(), new Change.OfRepository(row, complete), List.of()));
        row = complete;
    }

    private static void require(WriteOutcome outcome) {
        if (!(outcome instanceof Written)) {
            throw new TransferRefusedException(
                    "Somebody else works on this store at the same time: let one import end, then look at the store");
        }
    }
}
