package org.anabranch.versioning.transfer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.stream.LongStream;
import org.anabranch.dag.CommitTable;
import org.anabranch.index.KeyIndex;
import org.anabranch.model.CommitId;
import org.anabranch.model.Content;
import org.anabranch.model.ContentKey;
import org.anabranch.model.ReferenceKind;
import org.anabranch.object.Commit;
import org.anabranch.object.ExportedCommit;
import org.anabranch.object.ExportedReference;
import org.anabranch.object.ExportedReference.EarlierHead;
import org.anabranch.object.IndexEntry;
import org.anabranch.object.IndexKey;
import org.anabranch.object.KeyOperation;
import org.anabranch.object.LogicalCommit;
import org.anabranch.object.StoredObjects;
import org.anabranch.object.Tree;
import org.anabranch.store.Head;
import org.anabranch.store.Pages;
import org.anabranch.store.PublishedHead;
import org.anabranch.store.ReferenceRow;
import org.anabranch.store.RepositoryRow;
import org.anabranch.store.Store;
import org.anabranch.versioning.refs.Repository;

/** One run of a {@link RepositoryExport}. */
final class ExportRun {

    private static final int REFERENCES_PER_TRIP = 5_000;
    private static final int COMMITS_PER_BLOCK = 128;

    /** Larger commits read enough at once themselves, and a block of them would not fit into the cache. */
    private static final int MOST_KEYS_AHEAD = 50;

    private final Store store;
    private final InstantSource clock;
    private final ExportWriter writer;
    private final TransferProgress progress;
    private final BooleanSupplier isToldToEnd;
    private final StoredObjects objects;
    private final KeyIndex index;

    private final LongStream.Builder roots = LongStream.builder();

    /** A branch that was deleted and created again as a tag since branches were listed is not written twice. */
    private final Set<String> names = new HashSet<>();

    private CommitTable table = new CommitTable();

    /** By row of the table; 0 for rows that were not written. */
    private int[] ordinals = {};

    /** Commits that may be stored in several rows, see {@link #beginningsOfSeveral}. */
    private final Map<CommitId, Integer> written = new HashMap<>();

    ExportRun(
            Store store,
            InstantSource clock,
            ExportWriter writer,
            long cacheBytes,
            TransferProgress progress,
            BooleanSupplier isToldToEnd) {
        this.store = store;
        this.clock = clock;
        this.writer = writer;
        this.progress = progress;
        this.isToldToEnd = isToldToEnd;
        this.objects = new StoredObjects(store, cacheBytes);
        this.index = new KeyIndex(objects);
    }

    ExportReport run() throws IOException {
        RepositoryRow repository = Repository.requireServable(store.repository()
                .orElseThrow(() -> new TransferRefusedException("There is no repository in this store yet")));
        writer.begin(repository);
        try {
            for (ReferenceKind kind : ReferenceKind.values()) {
                Pages.all("", last -> store.references(kind, last, REFERENCES_PER_TRIP), ReferenceRow::name)
                        .forEach(page -> page.forEach(this::write));
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        long[] heads = roots.build().filter(number -> number != 0).toArray();
        SweepHold hold = new SweepHold(store, clock, Arrays.stream(heads));
        hold.keep();
        order(heads, hold);
        int commits = commits(hold);
        byte[] digest = writer.end();
        return new ExportReport(
                repository.id(),
                names.size(),
                commits,
                writer.bytes(),
                HexFormat.of().formatHex(digest));
    }

    private void at(TransferStage stage, long done, long total) {
        if (isToldToEnd.getAsBoolean()) {
            throw new TransferRefusedException("The export was told to end before it was complete");
        }
        progress.at(stage, done, total);
    }

    private void write(ReferenceRow row) {
        if (!names.add(row.name())) {
            return;
        }
        roots.add(row.head().number());
        row.published().forEach(earlier -> roots.add(earlier.head().number()));
        try {
            writer.add(new ExportedReference(
                    row.kind(),
                    row.name(),
                    row.head().id(),
                    row.createdAtMicros(),
                    row.published().stream().map(ExportRun::earlier).toList()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        at(TransferStage.LISTING, names.size(), 0);
    }

    private static EarlierHead earlier(PublishedHead earlier) {
        return new EarlierHead(earlier.head().id(), earlier.publishedAtMicros());
    }

    /** Reads the links after the references, so that nothing is missing among them, and puts what heads lead to in order. */
    private void order(long[] heads, SweepHold hold) {
        table = CommitTable.list(store, rows -> {
            hold.keep();
            at(TransferStage.LISTING, rows, 0);
        });
        for (long head : heads) {
            int row = table.find(head);
            if (row < 0) {
                throw damaged("Row " + head + ", which a reference leads to, is not stored");
            }
            table.reach(row, new CommitTable.Faults() {
                @Override
                public void missingParent(long number, long parent) {
                    throw damaged("Row " + parent + ", a parent of row " + number + ", is not stored");
                }

                @Override
                public void cycle(long number) {
                    throw damaged("Row " + number + " is its own ancestor");
                }
            });
        }
        ordinals = new int[table.size()];
    }

    private static TransferRefusedException damaged(String what) {
        return new TransferRefusedException(what + ": the repository is damaged, and 'check' says how far");
    }

    /** Writes all commits that are in order, and says how many they are. */
    private int commits(SweepHold hold) throws IOException {
        Set<Long> several = beginningsOfSeveral();
        int ordinal = 0;
        int total = table.orderedSize();
        for (int from = 0; from < total; from += COMMITS_PER_BLOCK) {
            hold.keep();
            at(TransferStage.EXPORTING, from, total);
            int until = Math.min(total, from + COMMITS_PER_BLOCK);
            List<Long> numbers = new ArrayList<>();
            for (int place = from; place < until; place++) {
                numbers.add(table.number(table.ordered(place)));
            }
            List<Commit> commits = objects.commits(numbers);
            readAhead(commits);
            for (int place = from; place < until; place++) {
                int row = table.ordered(place);
                Commit commit = commits.get(place - from);
                if (several.contains(table.idBits(row))) {
                    Integer known = written.putIfAbsent(commit.id(), ordinal + 1);
                    if (known != null) {
                        ordinals[row] = known;
                        continue;
                    }
                }
                ordinals[row] = ++ordinal;
                writer.add(exported(commit, ordinal));
            }
        }
        return ordinal;
    }

    /** The beginnings of ids that more than one row has: a commit that was staged twice is stored twice. */
    private Set<Long> beginningsOfSeveral() {
        long[] sorted = new long[table.orderedSize()];
        Arrays.setAll(sorted, place -> table.idBits(table.ordered(place)));
        Arrays.sort(sorted);
        Set<Long> several = new HashSet<>();
        for (int i = 1; i < sorted.length; i++) {
            if (sorted[i] == sorted[i - 1]) {
                several.add(sorted[i]);
            }
        }
        return several;
    }

    /** Reads together the ways down to the keys of small commits, in which they are then looked up one by one. */
    private void readAhead(List<Commit> commits) {
        Map<Tree, List<IndexKey>> keys = new HashMap<>();
        for (Commit commit : commits) {
            List<IndexKey> puts = puts(objects.operations(commit));
            if (puts.size() <= MOST_KEYS_AHEAD) {
                keys.computeIfAbsent(commit.tree(), each -> new ArrayList<>()).addAll(puts);
            }
        }
        index.readAhead(keys);
    }

    private static List<IndexKey> puts(List<KeyOperation> operations) {
        return operations.stream()
                .filter(operation -> operation.kind() == KeyOperation.Kind.PUT)
                .map(KeyOperation::key)
                .toList();
    }

    private ExportedCommit exported(Commit commit, int ordinal) {
        List<KeyOperation> operations = objects.operations(commit);
        List<IndexEntry> entries =
                List.copyOf(index.findAll(commit.tree(), puts(operations)).values());
        SortedMap<ContentKey, Optional<Content>> logical = new TreeMap<>();
        operations.forEach(operation -> logical.put(operation.key().toContentKey(), Optional.empty()));
        List<Content> contents = objects.contents(entries);
        for (int i = 0; i < entries.size(); i++) {
            logical.put(entries.get(i).key().toContentKey(), Optional.of(contents.get(i)));
        }
        LogicalCommit exported = new LogicalCommit(
                commit.parents().stream().map(Head::id).toList(),
                commit.seq(),
                commit.createdAtMicros(),
                commit.requireMeta(),
                logical);
        if (!exported.id().equals(commit.id())) {
            throw damaged("Commit " + commit.id() + " in row " + commit.number() + " is not what its hash says");
        }
        return new ExportedCommit(
                ordinal,
                commit.id(),
                commit.parents().stream()
                        .map(parent -> parent.number() == 0 ? 0 : ordinals[table.find(parent.number())])
                        .toList(),
                exported);
    }
}
