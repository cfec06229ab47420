package org.anabranch.versioning.read;

import com.google.common.collect.AbstractIterator;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.anabranch.dag.CommitGraph;
import org.anabranch.index.KeyIndex;
import org.anabranch.model.ChangeKind;
import org.anabranch.model.VisibleKeys;
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
 *
 * What may not be seen is passed over as if it did not exist: a content that came from a hidden key is a new one, and one whose place
 * a hidden one took was deleted.
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
    private final VisibleKeys visible;
    private Commit at;
    private IndexKey key;

    /** What {@link #at} holds under {@link #key}; null if nothing. */
    private @Nullable IndexEntry held;

    KeyChanges(CommitGraph graph, KeyIndex index, ObjectReader reader, Commit from, IndexKey key, VisibleKeys visible) {
        this.graph = graph;
        this.index = index;
        this.reader = reader;
        this.visible = visible;
        this.at = from;
        this.key = key;
        this.held = find(from, key);
    }

    @Override
    protected @Nullable Change computeNext() {
        Change change;
        do {
            change = held == null ? deletion() : put(held);
        } while (change != null && !VisibleEntries.shows(visible, change.entry()));
        return change == null ? endOfData() : change;
    }

    private Change put(IndexEntry put) {
        // 1
        Commit commit = graph.ancestor(at, put.seq());
        Commit parent = firstParent(commit);
        IndexEntry before = find(parent, key);
        if (before != null && !VisibleEntries.shows(visible, put)) {
            return gone(commit, parent, before);
        }
        if (before != null && before.contentId().equals(put.contentId())) {
            return passed(parent, before, new Change(commit, key, ChangeKind.UPDATED, put, null));
        }
        // 2
        IndexEntry renamed = heldByAnother(commit, parent, put);
        if (renamed != null) {
            return passed(parent, renamed, new Change(commit, key, ChangeKind.RENAMED, put, renamed.key()));
        }
        boolean replaces = before != null && VisibleEntries.shows(visible, before);
        ChangeKind kind = replaces ? ChangeKind.REPLACED : ChangeKind.CREATED;
        return passed(parent, before, new Change(commit, key, kind, put, null));
    }

    private @Nullable Change deletion() {
        // 3
        while (!at.isNoAncestor()) {
            Commit commit = at.tree().isEmpty() ? at : reader.commit(index.absentSince(at.tree(), key));
            Commit parent = firstParent(commit);
            IndexEntry before = find(parent, key);
            if (before != null) {
                return gone(commit, parent, before);
            }
            at = parent;
        }
        return null;
    }

    private Change gone(Commit commit, Commit parent, IndexEntry before) {
        IndexEntry renamed = heldByAnother(commit, commit, before);
        IndexKey to = renamed == null ? null : renamed.key();
        return passed(parent, before, new Change(commit, key, ChangeKind.DELETED, before, to));
    }

    /** Goes on below a change. */
    private Change passed(Commit parent, @Nullable IndexEntry before, Change change) {
        at = parent;
        held = before;
        key = before == null ? key : before.key();
        return change;
    }

    /** Where a commit holds a content under another key that {@code changed} put or deleted; null if that cannot be seen. */
    private @Nullable IndexEntry heldByAnother(Commit changed, Commit in, IndexEntry content) {
        if (!VisibleEntries.shows(visible, content)) {
            return null;
        }
        Collection<IndexKey> others = reader.operations(changed).stream()
                .map(KeyOperation::key)
                .filter(other -> !other.equals(key))
                .toList();
        Optional<IndexEntry> holder = index.findAll(in.tree(), others).values().stream()
                .filter(entry -> entry.contentId().equals(content.contentId()) && VisibleEntries.shows(visible, entry))
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
