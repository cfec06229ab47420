package org.anabranch.versioning.commit;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.anabranch.model.ContentId;
import org.anabranch.model.ContentKey;
import org.anabranch.object.Commit;

/**
 * A planned commit: what it means to do, independent of where the branch is.
 *
 * @param expected the commit that the caller saw
 * @param changes at most one per key, in the order in which their conflicts are reported: those that remove something, those
 *     that change nothing, those that put, each in the order of the request
 * @param newIds the content ids given by the plan, by key
 */
public record ChangeSet(Commit expected, List<KeyChange> changes, SortedMap<ContentKey, ContentId> newIds) {

    public ChangeSet {
        changes = List.copyOf(changes);
        newIds = Collections.unmodifiableSortedMap(new TreeMap<>(newIds));
    }

    /** The changes of the key index that this amounts to, on whatever head. */
    public IndexEdit edit() {
        SortedMap<ContentKey, IndexEdit.KeyEdit> edits = new TreeMap<>();
        for (KeyChange change : changes) {
            switch (change) {
                case KeyChange.Create(var key, var content) ->
                    edits.put(key, new IndexEdit.Put(IndexEdit.Effect.CREATED, new IndexEdit.Given(content)));
                case KeyChange.Update(var key, var believed, var content) ->
                    edits.put(key, new IndexEdit.Put(IndexEdit.Effect.UPDATED, new IndexEdit.Given(content)));
                case KeyChange.Replace(var key, var believed, var content) ->
                    edits.put(key, new IndexEdit.Put(IndexEdit.Effect.REPLACED, new IndexEdit.Given(content)));
                case KeyChange.Delete(var key, var believed) -> edits.put(key, new IndexEdit.Remove());
                case KeyChange.Unchanged unchanged -> {}
            }
        }
        return new IndexEdit(edits);
    }
}
