package org.anabranch.versioning.commit;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.anabranch.index.KeyIndex;
import org.anabranch.model.Content;
import org.anabranch.model.ContentId;
import org.anabranch.model.ContentKey;
import org.anabranch.model.ContentType;
import org.anabranch.model.Operation;
import org.anabranch.model.RefusedException;
import org.anabranch.object.Commit;
import org.anabranch.object.IndexEntry;
import org.anabranch.object.IndexKey;
import org.jspecify.annotations.Nullable;

/**
 * Turns the operations of a request into changes, by what the caller saw. A mistake in relation to that is the caller's and
 * refused here; that the branch has moved since is for {@link ConflictCheck}.
 */
public final class ChangePlanner {

    private final KeyIndex index;
    private final Supplier<ContentId> newIds;

    /** @param newIds gives ids that were never given before */
    public ChangePlanner(KeyIndex index, Supplier<ContentId> newIds) {
        this.index = index;
        this.newIds = newIds;
    }

    /**
     * Reads what a request touches. Costs one bulk read per level of the index.
     *
     * @throws RefusedException 400 if several operations touch one key, except that a key may be deleted and then put: what it
     *     held ends, something else begins
     */
    public Intent read(List<Operation> operations, Commit expected) {
        Map<ContentKey, KeyRequest> requests = byKey(operations);
        SortedMap<IndexKey, IndexEntry> entries = index.findAll(
                expected.tree(), requests.keySet().stream().map(IndexKey::of).toList());
        List<Intent.OfKey> keys = new ArrayList<>();
        requests.forEach((key, request) ->
                keys.add(new Intent.OfKey(key, request.deleted, request.put, entries.get(IndexKey.of(key)))));
        return new Intent(expected, keys);
    }

    /**
     * Plans a commit. Takes a new content id for each created content, once per request: the plan can be judged any number of
     * times. Reads nothing.
     *
     * <p>The rules, all by the tree of the expected commit:
     *
     * <ol>
     *   <li>A content id in a put is the one that the key holds (an update), or that of another key which this request deletes
     *       (a rename; two keys may exchange their contents). No id means a new content, for a key that is absent or deleted by
     *       this request.
     *   <li>No id is put twice, and a content never changes its type.
     * </ol>
     *
     * @throws RefusedException 400 if a rule is broken; it names the key
     */
    public ChangeSet plan(Intent intent) {
        Map<ContentId, IndexEntry> released = new HashMap<>();
        intent.keys().forEach(request -> {
            if (request.deletes() && request.believed() != null) {
                released.put(request.believed().contentId(), request.believed());
            }
        });

        List<KeyChange> removing = new ArrayList<>();
        List<KeyChange> unchanged = new ArrayList<>();
        List<KeyChange> putting = new ArrayList<>();
        SortedMap<ContentKey, ContentId> given = new TreeMap<>();
        Set<ContentId> claimed = new HashSet<>();
        intent.keys().forEach(request -> {
            ContentKey key = request.key();
            IndexEntry believed = request.believed();
            if (request.put() == null) {
                if (request.deletes()) {
                    removing.add(new KeyChange.Delete(key, believed));
                } else {
                    unchanged.add(new KeyChange.Unchanged(key, believed));
                }
                return;
            }
            Content content = request.put();
            ContentId id = content.id();
            if (id == null) {
                if (believed != null && !request.deletes()) {
                    throw RefusedException.badRequest(
                            "Key '" + key + "' exists with content ID " + believed.contentId()
                                    + " and its new value has no content ID: send that ID to update it, or delete the key first");
                }
                content = content.withId(newIds.get());
                given.put(key, content.id());
            } else if (believed != null && !request.deletes()) {
                requireSameContent(key, content, believed);
            } else {
                requireReleased(key, content, believed, released.get(id));
            }
            if (!claimed.add(content.id())) {
                throw RefusedException.badRequest(
                        "Content ID " + content.id() + " is put under two keys, '" + key + "' being the second");
            }
            if (request.deletes()) {
                removing.add(new KeyChange.Replace(key, believed, content));
            } else if (believed != null) {
                putting.add(new KeyChange.Update(key, believed, content));
            } else {
                putting.add(new KeyChange.Create(key, content));
            }
        });

        List<KeyChange> changes = new ArrayList<>(removing);
        changes.addAll(unchanged);
        changes.addAll(putting);
        return new ChangeSet(intent.expected(), changes, given);
    }

    /** What a request says about one key. */
    private record KeyRequest(boolean deleted, @Nullable Content put) {}

    private static Map<ContentKey, KeyRequest> byKey(List<Operation> operations) {
        Map<ContentKey, KeyRequest> requests = new LinkedHashMap<>();
        for (Operation operation : operations) {
            requests.merge(
                    operation.key(),
                    switch (operation) {
                        case Operation.Put put -> new KeyRequest(false, put.content());
                        case Operation.Delete delete -> new KeyRequest(true, null);
                        case Operation.Unchanged unchanged -> new KeyRequest(false, null);
                    },
                    (first, second) -> both(operation.key(), first, second));
        }
        return requests;
    }

    private static KeyRequest both(ContentKey key, KeyRequest first, KeyRequest second) {
        if (first.deleted && first.put == null && !second.deleted && second.put != null) {
            return new KeyRequest(true, second.put);
        }
        throw RefusedException.badRequest(
                "Key '" + key + "' appears in several operations; only a DELETE followed by a PUT may share a key");
    }

    private static void requireSameContent(ContentKey key, Content content, IndexEntry believed) {
        if (!believed.contentId().equals(content.id())) {
            throw RefusedException.badRequest("Key '" + key + "' exists with content ID " + believed.contentId()
                    + ", different from the content ID " + content.id() + " of its new value");
        }
        requireSameType(key, content, believed.type());
    }

    private static void requireReleased(
            ContentKey key, Content content, @Nullable IndexEntry believed, @Nullable IndexEntry source) {
        if (source == null) {
            throw RefusedException.badRequest("New content of key '" + key + "' must not have a content ID, but has "
                    + content.id() + ", which belongs to no key that this commit deletes");
        }
        if (believed != null && believed.contentId().equals(content.id())) {
            throw RefusedException.badRequest("Key '" + key + "' is deleted and put again with its own content ID "
                    + content.id() + ": leave out the DELETE to update it, or the ID to create a new content");
        }
        requireSameType(key, content, source.type());
    }

    private static void requireSameType(ContentKey key, Content content, ContentType type) {
        if (content.type() != type) {
            throw RefusedException.badRequest("The content for key '" + key + "' is of type " + type
                    + " and cannot become " + content.type() + ": delete the key and put a new content without ID");
        }
    }
}
