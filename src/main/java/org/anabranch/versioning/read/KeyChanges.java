package org.anabranch.versioning.read;

import com.google.common.collect.AbstractIterator;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.anabranch.dag.CommitGraph;
import org.anabranch.index.KeyIndex;
import org.anabranch.model.ChangeKind;
import org.anabranch.model.ContentId;
import org.anabranch.object.Commit;
import org.anabranch.object.IndexEntry;
import org.anabranch.object.IndexKey;
import org.anabranch.object.KeyOperation;
import org.anabranch.object.ObjectReader;
import org.jspecify.annotations.Nullable;

/**
 * The commits of a first-parent line that changed a key, youngest first, without walking the line.
 *
 * <ol>
 *   <li>Where the key holds something, its entry tells by {@code seq} which commit put that. What the commit's first parent holds
 *       tells what kind of change it was.
 *   <li>A content that the first parent holds under another key, which the commit changed too, was renamed: the walk goes on with
 *       that key. Otherwise it goes on with the same key, and with what that held before.
 *   <li>Where the key holds nothing, the node that would hold it tells up to which commit it has been so, see
 *       {@link KeyIndex#absentSince}. If that commit did not remove the key either, the question is put again to its first
 *       parent. An empty index tells nothing but its own commit.
 * </ol>
 */
final class KeyChanges extends AbstractIterator<KeyChanges.Change> {

    /**
     * What a commit did to the key.
     *
     * @param entry what the key holds afterwards, or held before if it holds nothing
     * @param other the key that the content came from, or went to; null if there is none
     */
    record Change(
            Commit commit,
            IndexKey key,
            ChangeKind kind,
            IndexEntry entry,
            @Nullable IndexKey other) {}

    private final CommitGraph graph;
    private final KeyIndex index;
    private final ObjectReader reader;
    private Commit at;
    private IndexKey key;

    /** What {@link #at} holds under {@link #key}; null if nothing. */
    private @Nullable IndexEntry held;

    KeyChanges(CommitGraph graph, KeyIndex index, ObjectReader reader, Commit from, IndexKey key) {
        this.graph = graph;
        this.index = index;
        this.reader = reader;
        this.at = from;
        this.key = key;
        this.held = find(from, key);
    }

    @Override
    protected @Nullable Change computeNext() {
        return held == null ? deletion() : put(held);
    }

    private Change put(IndexEntry put) {
        // 1
        Commit commit = graph.ancestor(at, put.seq());
        Commit parent = firstParent(commit);
        IndexEntry before = find(parent, key);
        if (before != null && before.contentId().equals(put.contentId())) {
            return passed(parent, before, new Change(commit, key, ChangeKind.UPDATED, put, null));
        }
        // 2
        IndexEntry renamed = heldByAnother(commit, parent, put.contentId());
        if (renamed != null) {
            return passed(parent, renamed, new Change(commit, key, ChangeKind.RENAMED, put, renamed.key()));
        }
        ChangeKind kind = before == null ? ChangeKind.CREATED : ChangeKind.REPLACED;
        return passed(parent, before, new Change(commit, key, kind, put, null));
    }

    private @Nullable Change deletion() {
        // 3
        while (!at.isNoAncestor()) {
            Commit commit = at.tree().isEmpty() ? at : reader.commit(index.absentSince(at.tree(), key));
            Commit parent = firstParent(commit);
            IndexEntry before = find(parent, key);
            if (before != null) {
                IndexEntry renamed = heldByAnother(commit, commit, before.contentId());
                IndexKey to = renamed == null ? null : renamed.key();
                return passed(parent, before, new Change(commit, key, ChangeKind.DELETED, before, to));
            }
            at = parent;
        }
        return endOfData();
    }

    /** Goes on below a change. */
    private Change passed(Commit parent, @Nullable IndexEntry before, Change change) {
        at = parent;
        held = before;
        key = before == null ? key : before.key();
        return change;
    }

    /** The entry of a content id in a commit, among the other keys that {@code changed} put or deleted; null if there is none. */
    private @Nullable IndexEntry heldByAnother(Commit changed, Commit in, ContentId id) {
        Collection<IndexKey> others = reader.operations(changed).stream()
                .map(KeyOperation::key)
                .filter(other -> !other.equals(key))
                .toList();
        Optional<IndexEntry> holder = index.findAll(in.tree(), others).values().stream()
                .filter(entry -> entry.contentId().equals(id))
                .findFirst();
        return holder.orElse(null);
    }

    private @Nullable IndexEntry find(Commit commit, IndexKey wanted) {
        return index.findAll(commit.tree(), List.of(wanted)).get(wanted);
    }

    private Commit firstParent(Commit commit) {
        return reader.commit(commit.parents().get(0).number());
    }
}
