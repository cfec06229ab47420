package org.anabranch.versioning.check;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.LongStream;
import org.anabranch.dag.CommitTable;
import org.anabranch.index.KeyIndex;
import org.anabranch.model.AppliedResult;
import org.anabranch.model.CommitId;
import org.anabranch.model.CommitOutcome.Committed;
import org.anabranch.model.MergeOutcome.Merged;
import org.anabranch.model.ReferenceChanged;
import org.anabranch.model.ReferenceKind;
import org.anabranch.model.ReferenceName;
import org.anabranch.object.Commit;
import org.anabranch.object.CorruptObjectException;
import org.anabranch.object.IndexKey;
import org.anabranch.object.KeyOperation;
import org.anabranch.object.ResultCodec;
import org.anabranch.object.StoredObjects;
import org.anabranch.object.Tree;
import org.anabranch.store.ChunkAddress;
import org.anabranch.store.Head;
import org.anabranch.store.Pages;
import org.anabranch.store.PublishedHead;
import org.anabranch.store.Receipt;
import org.anabranch.store.ReferenceRow;
import org.anabranch.store.RepositoryRow;
import org.anabranch.store.Store;
import org.anabranch.store.StoreUnavailableException;
import org.anabranch.versioning.check.Finding.Kind;
import org.anabranch.versioning.refs.Repository;
import org.jspecify.annotations.Nullable;

/** One run of a {@link RepositoryCheck}, and what it knows so far. */
final class CheckRun {

    private static final int SALT_BYTES = 16;
    private static final int ROWS_PER_PAGE = 500;
    private static final int COMMITS_PER_BLOCK = 128;
    static final long CACHE_BYTES = 64 << 20;

    /** Larger commits read enough at once themselves, and a block of them would not fit into the cache. */
    private static final int MOST_KEYS_AHEAD = 50;

    /**
     * What is kept of a reference: there may be many.
     *
     * @param isFound whether the store found the head by its id
     * @param earlier heads as their numbers and the beginnings of their ids, in turn
     */
    private record Listed(String name, Head head, boolean isFound, long[] earlier) {}

    /** A reference, and where the commits begin that none before it reaches. */
    private record Root(Listed reference, int firstPlace) {}

    private final Store store;
    private final CheckLevel level;
    private final CheckProgress progress;
    private final BooleanSupplier isToldToEnd;
    private final long cacheBytes;
    private final Findings findings = new Findings();
    private final List<Root> roots = new ArrayList<>();
    private final List<Root> lines = new ArrayList<>();

    /** Rows that could not be judged wholly: what fails on top of them is no news. */
    private final BitSet damaged = new BitSet();

    private CommitTable table = new CommitTable();
    private long references;
    private long receipts;
    private long verified;
    private long notJudged;

    CheckRun(Store store, CheckLevel level, CheckProgress progress, BooleanSupplier isToldToEnd, long cacheBytes) {
        this.store = store;
        this.level = level;
        this.progress = progress;
        this.isToldToEnd = isToldToEnd;
        this.cacheBytes = cacheBytes;
    }

    private static final class ToldToEndException extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    CheckReport run() {
        boolean isComplete = true;
        try {
            RepositoryRow repository = repository();
            if (repository != null) {
                List<Listed> listed = listReferences(repository);
                table = CommitTable.list(store, rows -> at(CheckStage.LISTING, rows, 0));
                listed.forEach(this::reach);
                listReceipts();
                commits(repository);
            }
        } catch (ToldToEndException | Findings.TooManyException ended) {
            isComplete = false;
        }
        return new CheckReport(
                level,
                isComplete,
                references,
                receipts,
                table.size(),
                table.orderedSize(),
                verified,
                notJudged,
                findings.found());
    }

    private void at(CheckStage stage, long done, long total) {
        if (isToldToEnd.getAsBoolean()) {
            throw new ToldToEndException();
        }
        progress.at(stage, done, total);
    }

    /** The record, if the rest can be read by it. */
    private @Nullable RepositoryRow repository() {
        RepositoryRow row = store.repository().orElse(null);
        if (row == null) {
            findings.add(Kind.REPOSITORY, null, "a repository record", "none");
            return null;
        }
        requireRecord(
                row.formatVersion() == Repository.FORMAT_VERSION,
                "format version " + Repository.FORMAT_VERSION,
                row.isBeingImported()
                        ? "a repository that is being imported, and not all there yet"
                        : row.formatVersion());
        requireRecord(row.salt().length == SALT_BYTES, "a salt of 16 bytes", row.salt().length + " bytes");
        if (!findings.found().isEmpty()) {
            return null;
        }
        requireRecord(row.version() >= 1, "a version from 1", row.version());
        ReferenceRow branch = store.reference(row.defaultBranch()).orElse(null);
        requireRecord(
                branch != null && branch.kind() == ReferenceKind.BRANCH,
                "a branch '" + row.defaultBranch() + "', which is the default one",
                branch == null ? "none" : "a tag");
        return row;
    }

    private void requireRecord(boolean holds, String expected, Object actual) {
        if (!holds) {
            findings.add(Kind.REPOSITORY, null, expected, actual);
        }
    }

    /** All references, the default branch first: it is the one that most of history belongs to. */
    private List<Listed> listReferences(RepositoryRow repository) {
        List<Listed> listed = new ArrayList<>();
        Set<Long> incarnations = new HashSet<>();
        for (ReferenceKind kind : ReferenceKind.values()) {
            Pages.all("", last -> store.references(kind, last, ROWS_PER_PAGE), ReferenceRow::name)
                    .forEach(page -> {
                        Map<CommitId, Long> found = store.find(
                                page.stream().map(row -> row.head().id()).toList());
                        for (ReferenceRow row : page) {
                            verify(row, incarnations);
                            Long number = found.get(row.head().id());
                            // A commit that was staged twice is found under its lower number.
                            boolean isFound =
                                    number != null && number <= row.head().number();
                            listed.add(
                                    row.name().equals(repository.defaultBranch()) ? 0 : listed.size(),
                                    listed(row, isFound));
                        }
                        at(CheckStage.LISTING, listed.size(), 0);
                    });
        }
        references = listed.size();
        return listed;
    }

    private static Listed listed(ReferenceRow row, boolean isFound) {
        return new Listed(
                row.name(),
                row.head(),
                isFound,
                row.published().stream()
                        .map(PublishedHead::head)
                        .flatMapToLong(head -> LongStream.of(head.number(), CommitTable.bits(head.id())))
                        .toArray());
    }

    private void verify(ReferenceRow row, Set<Long> incarnations) {
        try {
            new ReferenceName(row.name());
        } catch (IllegalArgumentException e) {
            findings.add(Kind.REFERENCE, row.name(), "a name that a reference can have", e.getMessage());
        }
        if (row.version() < 1 || row.incarnation() < 1 || !incarnations.add(row.incarnation())) {
            findings.add(
                    Kind.REFERENCE,
                    row.name(),
                    "an incarnation of its own, and a version from 1",
                    "incarnation " + row.incarnation() + ", version " + row.version());
        }
    }

    private void reach(Listed reference) {
        long[] earlier = reference.earlier();
        for (int i = 0; i < earlier.length; i += 2) {
            requireCommit(Kind.EARLIER_HEAD, reference.name(), earlier[i], earlier[i + 1]);
        }
        Head head = reference.head();
        if (head.equals(Head.NO_ANCESTOR)) {
            return;
        }
        int row = table.find(head.number());
        if (row < 0 || !reference.isFound() || table.idBits(row) != CommitTable.bits(head.id())) {
            findings.add(
                    Kind.REFERENCE,
                    reference.name(),
                    "commit " + head.id() + " in row " + head.number(),
                    row < 0 ? "no such row" : "another commit in that row");
        }
        if (row < 0) {
            return;
        }
        roots.add(new Root(reference, table.orderedSize()));
        table.reach(row, new CommitTable.Faults() {
            @Override
            public void missingParent(long number, long parent) {
                findings.missing(new Subject(reference.name(), number, null), new ChunkAddress(parent, 0));
            }

            @Override
            public void cycle(long number) {
                findings.add(
                        Kind.CYCLE,
                        new Subject(reference.name(), number, null),
                        null,
                        "older commits as parents",
                        "a descendant as parent");
            }
        });
    }

    /** Also looks for a row that may have been written after the table was made. */
    private void requireCommit(Kind kind, String reference, long number, long idBits) {
        if (number == 0 && idBits == CommitTable.bits(CommitId.NO_ANCESTOR)) {
            return;
        }
        int row = table.find(number);
        boolean isThere = row >= 0
                ? table.idBits(row) == idBits
                : number > 0
                        && store.links(number - 1, 1).stream()
                                .anyMatch(links -> links.number() == number && CommitTable.bits(links.id()) == idBits);
        if (!isThere) {
            findings.add(
                    kind,
                    reference,
                    "row " + number + " with the commit that was published",
                    row >= 0 ? "another commit" : "no such row");
        }
    }

    private void listReceipts() {
        Pages.all("", last -> store.receiptsAfter(last, ROWS_PER_PAGE), Receipt::scope)
                .forEach(page -> {
                    page.forEach(this::verify);
                    receipts += page.size();
                    at(CheckStage.LISTING, table.size() + receipts, 0);
                });
    }

    private void verify(Receipt receipt) {
        String reference = receipt.scope().lines().findFirst().orElse("");
        Head kept = receipt.head();
        requireCommit(Kind.RECEIPT, reference, kept.number(), CommitTable.bits(kept.id()));
        AppliedResult result;
        try {
            result = ResultCodec.decode(receipt.response());
        } catch (CorruptObjectException | IllegalArgumentException e) {
            findings.add(Kind.RECEIPT, reference, "an answer", e.getMessage());
            return;
        }
        CommitId head =
                switch (result) {
                    case Committed committed -> committed.head();
                    case Merged merged -> merged.head();
                    case ReferenceChanged changed -> changed.reference().hash();
                };
        if (!head.equals(kept.id())) {
            findings.add(Kind.RECEIPT, reference, "an answer that names " + kept.id(), head);
        }
    }

    private void commits(RepositoryRow repository) {
        CheckedObjects objects = new CheckedObjects(new StoredObjects(store, cacheBytes));
        HeaderCheck headers = new HeaderCheck(table, objects, findings);
        TreeVerifier trees = new TreeVerifier(repository, table, objects, headers, findings);
        int total = table.orderedSize();
        int root = -1;
        for (int from = 0; from < total; from += COMMITS_PER_BLOCK) {
            at(CheckStage.COMMITS, from, total);
            int until = Math.min(total, from + COMMITS_PER_BLOCK);
            Map<CommitId, Long> found = read(objects, from, until);
            if (level == CheckLevel.FULL) {
                readAhead(objects.stored(), from, until);
            }
            for (int place = from; place < until; place++) {
                while (root + 1 < roots.size() && roots.get(root + 1).firstPlace() <= place) {
                    root++;
                }
                commit(table.ordered(place), roots.get(root), found, objects, headers, trees);
            }
        }
        if (level == CheckLevel.FULL) {
            for (int line = 0; line < lines.size(); line++) {
                at(CheckStage.TREES, line, lines.size());
                whole(lines.get(line).reference(), objects, trees);
            }
        }
    }

    /** Reads a block of headers, and looks up the ids in them. A block with a damaged header is read one by one later. */
    private Map<CommitId, Long> read(CheckedObjects objects, int from, int until) {
        List<Long> numbers = new ArrayList<>();
        for (int place = from; place < until; place++) {
            numbers.add(table.number(table.ordered(place)));
        }
        List<CommitId> ids = new ArrayList<>();
        try {
            objects.stored().commits(numbers).forEach(commit -> ids.add(commit.id()));
        } catch (StoreUnavailableException unavailable) {
            throw unavailable;
        } catch (RuntimeException someDamaged) {
            for (long number : numbers) {
                try {
                    ids.add(objects.stored().commit(number).id());
                } catch (StoreUnavailableException unavailable) {
                    throw unavailable;
                } catch (RuntimeException damaged) {
                    // Told when the commit is verified.
                }
            }
        }
        return store.find(ids);
    }

    /**
     * Reads what the verification of a block will ask for commit by commit: the ways down to the keys of small commits, in their own
     * trees and in their first parents'.
     */
    private void readAhead(StoredObjects stored, int from, int until) {
        try {
            List<Commit> commits = new ArrayList<>();
            for (int place = from; place < until; place++) {
                commits.add(stored.commit(table.number(table.ordered(place))));
            }
            List<Commit> parents = stored.commits(commits.stream()
                    .map(commit -> commit.parents().get(0).number())
                    .toList());
            Map<Tree, List<IndexKey>> keys = new HashMap<>();
            for (int i = 0; i < commits.size(); i++) {
                List<KeyOperation> operations = stored.operations(commits.get(i));
                if (operations.size() <= MOST_KEYS_AHEAD) {
                    for (Tree tree :
                            List.of(commits.get(i).tree(), parents.get(i).tree())) {
                        operations.forEach(operation -> keys.computeIfAbsent(tree, each -> new ArrayList<>())
                                .add(operation.key()));
                    }
                }
            }
            new KeyIndex(stored).readAhead(keys);
        } catch (StoreUnavailableException unavailable) {
            throw unavailable;
        } catch (RuntimeException damaged) {
            // Told when its commit is verified.
        }
    }

    private void commit(
            int row,
            Root root,
            Map<CommitId, Long> found,
            CheckedObjects objects,
            HeaderCheck headers,
            TreeVerifier trees) {
        long number = table.number(row);
        Subject subject = new Subject(root.reference().name(), number, null);
        boolean isJudged;
        try {
            Commit commit = objects.stored().commit(number);
            subject = new Subject(root.reference().name(), number, commit.id());
            isJudged = headers.verify(row, commit, found, subject);
            if (!commit.parents().isEmpty() && commit.parents().get(0).number() == 0) {
                if (lines.isEmpty() || lines.get(lines.size() - 1) != root) {
                    lines.add(root);
                }
            }
            if (level == CheckLevel.FULL) {
                isJudged = tree(commit, isJudged, subject, objects, trees);
            }
        } catch (RuntimeException e) {
            findings.unreadable(subject, e, false);
            objects.refuseHeader(number);
            isJudged = false;
        }
        verified++;
        if (!isJudged) {
            damaged.set(row);
            notJudged++;
        }
    }

    private boolean tree(
            Commit commit, boolean hasParents, Subject subject, CheckedObjects objects, TreeVerifier trees) {
        try {
            Commit parent = hasParents ? objects.commit(commit.parents().get(0).number()) : null;
            return trees.verify(commit, parent, subject);
        } catch (RuntimeException e) {
            findings.unreadable(subject, e, buildsOnDamaged(commit));
            return false;
        }
    }

    private boolean buildsOnDamaged(Commit commit) {
        return commit.parents().stream()
                .mapToInt(parent -> table.find(parent.number()))
                .anyMatch(row -> row >= 0 && damaged.get(row));
    }

    private void whole(Listed reference, CheckedObjects objects, TreeVerifier trees) {
        Head head = reference.head();
        Subject subject = new Subject(reference.name(), head.number(), head.id());
        try {
            trees.verifyWhole(objects.commit(head.number()), subject);
        } catch (RuntimeException e) {
            findings.unreadable(subject, e, true);
        }
    }
}
