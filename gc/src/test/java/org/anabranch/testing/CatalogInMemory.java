package org.anabranch.testing;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.anabranch.gc.CatalogContent;
import org.anabranch.gc.CatalogEntry;
import org.anabranch.gc.CatalogSource;
import org.anabranch.gc.CatalogUnreadableException;
import org.anabranch.gc.ContentPointer;
import org.anabranch.gc.LoggedCommit;
import org.anabranch.gc.ReadAccess;
import org.anabranch.gc.ReferenceHead;
import org.anabranch.model.CommitId;
import org.anabranch.model.ContentKey;
import org.anabranch.model.ReferenceKind;

/** A catalog made of plain maps, which counts what is read from it. Each commit is one minute younger than the one made before it. */
public final class CatalogInMemory implements CatalogSource {

    /** The time of the first commit. */
    public static final Instant BEGINNING = Instant.parse("2026-01-01T00:00:00Z");

    private final Map<CommitId, LoggedCommit> commits = new HashMap<>();
    private final Map<CommitId, Map<ContentKey, CatalogEntry>> trees = new HashMap<>();
    private final Map<String, ReferenceHead> references = new TreeMap<>();
    private final AtomicLong commitsRead = new AtomicLong();
    private final AtomicLong entriesRead = new AtomicLong();
    private boolean isBroken;
    private ReadAccess readAccess = ReadAccess.UNFILTERED;
    private Runnable beforeReferences = () -> {};
    private Consumer<CommitId> beforeTree = commit -> {};

    public CatalogInMemory() {
        trees.put(CommitId.NO_ANCESTOR, Map.of());
    }

    /** A table's key put to a metadata file of this name. */
    public static CatalogEntry table(String key, String metadata) {
        return new CatalogEntry(
                ContentKey.of(key),
                "id of " + key,
                new CatalogContent.Iceberg(new ContentPointer(
                        ContentPointer.Kind.ICEBERG_TABLE, "s3://lake/" + key + "/metadata/" + metadata, 1)));
    }

    /** Commits deletions, then puts, on top of a commit. */
    public CommitId commit(CommitId parent, List<CatalogEntry> puts, ContentKey... deleted) {
        CommitId id = CommitId.of(
                ByteBuffer.allocate(CommitId.BYTES).putInt(commits.size() + 1).array());
        Instant at = BEGINNING.plus(Duration.ofMinutes(commits.size()));
        commits.put(id, new LoggedCommit(id, parent, at, puts));
        Map<ContentKey, CatalogEntry> tree = new TreeMap<>(trees.get(parent));
        List.of(deleted).forEach(tree::remove);
        puts.forEach(put -> tree.put(put.key(), put));
        trees.put(id, tree);
        return id;
    }

    /** Commits one table per commit, each with a metadata file named as the commit's position; gives the last commit. */
    public CommitId line(CommitId parent, String key, int length) {
        CommitId head = parent;
        for (int i = 1; i <= length; i++) {
            head = commit(head, List.of(table(key, "v" + i)));
        }
        return head;
    }

    public void branch(String name, CommitId head) {
        references.put(name, new ReferenceHead(ReferenceKind.BRANCH, name, head));
    }

    public void tag(String name, CommitId head) {
        references.put(name, new ReferenceHead(ReferenceKind.TAG, name, head));
    }

    public void delete(String name) {
        references.remove(name);
    }

    /** From now on, references cannot be read, or can again. */
    public void setBroken(boolean isBroken) {
        this.isBroken = isBroken;
    }

    /** From now on, the catalog says this of what it shows. */
    public void setReadAccess(ReadAccess readAccess) {
        this.readAccess = readAccess;
    }

    /** From now on, something is done before each reading of references. */
    public void setBeforeReferences(Runnable action) {
        this.beforeReferences = action;
    }

    /** From now on, something is done with each commit whose tree is about to be read, or its changes to another one. */
    public void setBeforeTree(Consumer<CommitId> action) {
        this.beforeTree = action;
    }

    /** When a commit was made. */
    public Instant timeOf(CommitId commit) {
        return commits.get(commit).committedAt();
    }

    /** The metadata files that a commit shows. */
    public List<String> shownAt(CommitId commit) {
        return trees.get(commit).values().stream()
                .map(entry ->
                        ((CatalogContent.Iceberg) entry.content()).pointer().metadataLocation())
                .toList();
    }

    /** The commit before one. */
    public CommitId parentOf(CommitId commit) {
        return commits.get(commit).parent();
    }

    /** All references, {@code main} first. */
    public List<ReferenceHead> heads() {
        return references.values().stream()
                .sorted(Comparator.comparing(each -> !each.name().equals("main")))
                .toList();
    }

    /** Commits handed out from logs. */
    public long commitsRead() {
        return commitsRead.get();
    }

    /** Entries handed out from trees and differences. */
    public long entriesRead() {
        return entriesRead.get();
    }

    @Override
    public String repository() {
        return "in memory";
    }

    @Override
    public ReadAccess readAccess() {
        return readAccess;
    }

    @Override
    public List<ReferenceHead> references() {
        beforeReferences.run();
        if (isBroken) {
            throw new CatalogUnreadableException("out of order", null);
        }
        return heads();
    }

    @Override
    public Iterator<LoggedCommit> log(CommitId from) {
        return new Iterator<>() {
            private CommitId next = from;

            @Override
            public boolean hasNext() {
                return commits.containsKey(next);
            }

            @Override
            public LoggedCommit next() {
                if (!hasNext()) {
                    throw new NoSuchElementException();
                }
                LoggedCommit commit = commits.get(next);
                next = commit.parent();
                commitsRead.incrementAndGet();
                return commit;
            }
        };
    }

    @Override
    public Iterator<CatalogEntry> entries(CommitId at) {
        beforeTree.accept(at);
        List<CatalogEntry> entries = List.copyOf(trees.get(at).values());
        entriesRead.addAndGet(entries.size());
        return entries.iterator();
    }

    @Override
    public Iterator<CatalogEntry> changes(CommitId from, CommitId to) {
        beforeTree.accept(to);
        List<CatalogEntry> changes = new ArrayList<>();
        trees.get(to).forEach((key, entry) -> {
            if (!entry.equals(trees.get(from).get(key))) {
                changes.add(entry);
            }
        });
        entriesRead.addAndGet(changes.size());
        return changes.iterator();
    }
}
