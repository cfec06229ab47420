package org.anabranch.versioning.check;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.anabranch.dag.CommitTable;
import org.anabranch.index.IndexEditor;
import org.anabranch.index.KeyIndex;
import org.anabranch.index.TreeCheck;
import org.anabranch.index.TreeFault;
import org.anabranch.model.ContentId;
import org.anabranch.object.Commit;
import org.anabranch.object.IndexEntry;
import org.anabranch.object.IndexKey;
import org.anabranch.object.KeyOperation;
import org.anabranch.object.StoredContent;
import org.anabranch.store.RepositoryRow;
import org.anabranch.versioning.check.Finding.Kind;
import org.jspecify.annotations.Nullable;

/**
 * Verifies what a commit did: its id, operations, tree and contents, given that all of its parents were verified before. For each
 * commit:
 *
 * <ol>
 *   <li>the nodes that were born with it, each for itself;
 *   <li>its operations, and the entries that they put;
 *   <li>its id, which is the hash of these;
 *   <li>the contents that lie outside of the leaves;
 *   <li>its tree, by applying the operations to the first parent's;
 *   <li>the content ids that the operations bring.
 * </ol>
 *
 * Costs as much as the commit did: O(m log n) node reads for m operations.
 */
final class TreeVerifier {

    private final CheckedObjects objects;
    private final KeyIndex index;
    private final TreeCheck trees;
    private final TreeReplay replay;
    private final ContentHomes homes;
    private final HeaderCheck headers;
    private final Findings findings;
    private final CommitTable table;

    TreeVerifier(
            RepositoryRow repository,
            CommitTable table,
            CheckedObjects objects,
            HeaderCheck headers,
            Findings findings) {
        this.table = table;
        this.objects = objects;
        this.headers = headers;
        this.findings = findings;
        this.index = new KeyIndex(objects);
        this.trees = new TreeCheck(objects, repository.salt());
        this.replay = new TreeReplay(objects, new IndexEditor(objects, repository.salt()), headers, findings);
        this.homes = new ContentHomes(repository.id(), this::firstKey);
    }

    /**
     * Verifies a commit and its tree.
     *
     * @param parent the first parent, if it could be read
     * @return whether all of it could be judged
     */
    boolean verify(Commit commit, @Nullable Commit parent, Subject subject) {
        // 1
        List<TreeFault> faults = trees.bornIn(commit.number(), commit.tree());
        faults.forEach(fault -> findings.add(subject, fault));
        if (faults.stream().anyMatch(TreeVerifier::leadsAstray)) {
            objects.refuseNodes(commit.number());
            return false;
        }
        // 2
        SortedMap<IndexKey, Optional<IndexEntry>> operations = operations(commit, subject);
        if (operations == null) {
            return false;
        }
        // 3
        var id = commit.idWith(operations);
        if (!id.equals(commit.id())) {
            findings.add(Kind.COMMIT_ID, subject, null, id, commit.id());
        }
        // 4
        contents(commit, operations.values().stream().flatMap(Optional::stream).toList(), subject);
        if (parent == null) {
            return false;
        }
        // 5
        if (faults.isEmpty()) {
            replay.verify(commit, parent, operations, subject);
        }
        // 6
        contentIds(commit, parent, operations, subject);
        return true;
    }

    /** Verifies the whole tree of a commit by the definition, whatever led to it. */
    void verifyWhole(Commit commit, Subject subject) {
        trees.whole(commit.tree()).forEach(fault -> findings.add(subject, fault));
    }

    /** Whether a search below a node with that fault may find nothing, or never end. */
    private static boolean leadsAstray(TreeFault fault) {
        return fault.kind() == TreeFault.Kind.ORDER || fault.kind() == TreeFault.Kind.SHAPE;
    }

    /** The operations with the entries that they put; null if they are not as the tree has it. */
    private @Nullable SortedMap<IndexKey, Optional<IndexEntry>> operations(Commit commit, Subject subject) {
        List<KeyOperation> operations = objects.operations(commit);
        SortedMap<IndexKey, Optional<IndexEntry>> byKey = new TreeMap<>();
        IndexKey last = null;
        for (KeyOperation operation : operations) {
            if (last != null && last.compareTo(operation.key()) >= 0) {
                findings.add(Kind.OPERATIONS, subject, operation.key(), "a key after " + last, operation.key());
                return null;
            }
            last = operation.key();
            byKey.put(operation.key(), Optional.empty());
        }
        index.findAll(commit.tree(), byKey.keySet()).forEach((key, entry) -> byKey.put(key, Optional.of(entry)));
        for (KeyOperation operation : operations) {
            IndexEntry entry = byKey.get(operation.key()).orElse(null);
            if (entry == null == (operation.kind() == KeyOperation.Kind.PUT)) {
                findings.add(
                        Kind.OPERATIONS,
                        subject,
                        operation.key(),
                        entry == null ? "the entry that was put" : "no entry, since the key was deleted",
                        entry == null ? "none" : "one of " + entry.contentId());
                return null;
            }
            if (entry != null && entry.seq() != commit.seq()) {
                findings.add(Kind.ENTRY_SEQ, subject, entry.key(), commit.seq(), entry.seq());
            }
        }
        return byKey;
    }

    private void contents(Commit commit, List<IndexEntry> entries, Subject subject) {
        List<IndexEntry> large = new ArrayList<>();
        for (IndexEntry entry : entries) {
            if (entry.content() instanceof StoredContent.Large content) {
                if (isReached(content.address().commitNumber(), commit)) {
                    large.add(entry);
                } else {
                    findings.add(
                            Kind.FOREIGN_ROW,
                            subject,
                            entry.key(),
                            "a content of a row that the commit descends from",
                            content.address());
                }
            }
        }
        if (!large.isEmpty()) {
            for (IndexEntry entry : objects.stored().damagedContents(large)) {
                findings.add(Kind.CONTENT, subject, entry.key(), entry.content(), "another content");
            }
        }
    }

    private boolean isReached(long row, Commit commit) {
        return row == commit.number()
                || table.find(row) >= 0
                        && headers.graph().reaches(objects.commit(commit.number()), objects.commit(row));
    }

    private void contentIds(
            Commit commit, Commit parent, SortedMap<IndexKey, Optional<IndexEntry>> operations, Subject subject) {
        SortedMap<IndexKey, IndexEntry> before = index.findAll(parent.tree(), operations.keySet());
        Map<ContentId, IndexKey> put = new HashMap<>();
        Map<ContentId, Set<IndexKey>> others = new HashMap<>();
        Set<IndexKey> lookedUp = new HashSet<>();
        operations.forEach((key, putOrDeleted) -> putOrDeleted.ifPresent(entry -> {
            IndexKey twin = put.putIfAbsent(entry.contentId(), key);
            if (twin != null) {
                twice(entry.contentId(), twin, key, subject);
            }
            IndexEntry old = before.get(key);
            if (old == null || !old.contentId().equals(entry.contentId())) {
                Set<IndexKey> elsewhere = homes.note(entry.contentId(), key, commit.number());
                if (!elsewhere.isEmpty()) {
                    others.put(entry.contentId(), elsewhere);
                    lookedUp.addAll(elsewhere);
                }
            }
        }));
        SortedMap<IndexKey, IndexEntry> now = index.findAll(commit.tree(), lookedUp);
        others.forEach((id, keys) -> {
            for (IndexKey key : keys) {
                IndexEntry entry = now.get(key);
                // Two puts of one commit were told above.
                if (entry != null && entry.contentId().equals(id) && !operations.containsKey(key)) {
                    twice(id, key, put.get(id), subject);
                }
            }
        });
    }

    private void twice(ContentId id, IndexKey key, IndexKey other, Subject subject) {
        findings.add(Kind.CONTENT_ID_TWICE, subject, other, "the content id " + id + " under one key", "also " + key);
    }

    private Optional<IndexKey> firstKey(long row, ContentId id, int print) {
        Commit commit = objects.commit(row);
        List<IndexKey> keys = objects.operations(commit).stream()
                .filter(operation -> operation.kind() == KeyOperation.Kind.PUT
                        && operation.key().hashCode() == print)
                .map(KeyOperation::key)
                .toList();
        return index.findAll(commit.tree(), keys).values().stream()
                .filter(entry -> entry.contentId().equals(id))
                .map(IndexEntry::key)
                .findFirst();
    }
}
