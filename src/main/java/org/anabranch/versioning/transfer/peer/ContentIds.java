package org.anabranch.versioning.transfer.peer;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Function;
import org.anabranch.model.Content;
import org.anabranch.model.ContentId;
import org.anabranch.model.ContentKey;
import org.anabranch.versioning.transfer.peer.PeerCommit.PeerContent;
import org.jspecify.annotations.Nullable;

/**
 * Gives contents the ids that they have there, except where no commit here can hold them: ids that are no UUIDs as they are
 * usually written, and an id that
 * another key of the same commit holds already. Those get one that follows from the old id and the key, so that it stays the same
 * from commit to commit. Holds about 200 bytes for each content that ever was. For one thread.
 */
final class ContentIds {

    private static final int NAMED_CHANGES = 1_000;

    /** Keys that ever held an id; most ids have one. */
    private final Map<ContentId, Set<ContentKey>> keys = new HashMap<>();

    private final List<ChangedContentId> changes = new ArrayList<>();
    private final Set<ContentId> made = new HashSet<>();
    private long changed;

    /** How many contents have another id here. */
    long changed() {
        return changed;
    }

    /** Whether an id is one that was given here. */
    boolean isMade(ContentId id) {
        return made.contains(id);
    }

    /** The first of them, by name. */
    List<ChangedContentId> changes() {
        return List.copyOf(changes);
    }

    /**
     * The operations of a commit with ids that it can hold.
     *
     * @param before the ids that keys hold at the first parent
     */
    SortedMap<ContentKey, Optional<Content>> apply(
            PeerCommit commit, Function<Collection<ContentKey>, Map<ContentKey, ContentId>> before) {
        SortedMap<ContentKey, Optional<Content>> operations = new TreeMap<>();
        Map<ContentId, ContentKey> putHere = new HashMap<>();
        commit.operations()
                .forEach((key, put) -> operations.put(
                        key, put.map(content -> content.content().withId(id(commit, key, content, putHere, before)))));
        return operations;
    }

    private ContentId id(
            PeerCommit commit,
            ContentKey key,
            PeerContent put,
            Map<ContentId, ContentKey> putHere,
            Function<Collection<ContentKey>, Map<ContentKey, ContentId>> before) {
        ContentId own = madeFrom(put.id(), key);
        Optional<ContentId> kept = idHere(put.id());
        ContentId given = kept.orElseGet(() -> madeFrom(put.id(), null));
        Set<ContentKey> holders = keys.computeIfAbsent(given, id -> new HashSet<>(2));
        holders.add(key);
        ContentKey other = putHere.putIfAbsent(given, key);
        if (other == null && holders.size() > 1) {
            Map<ContentKey, ContentId> held = before.apply(holders);
            other = held.entrySet().stream()
                    .filter(entry -> entry.getValue().equals(given)
                            && !entry.getKey().equals(key)
                            && !commit.operations().containsKey(entry.getKey()))
                    .map(Map.Entry::getKey)
                    .findFirst()
                    .orElse(null);
            if (own.equals(held.get(key))) {
                return own;
            }
        }
        if (other == null) {
            if (kept.isEmpty()) {
                tell(given, commit, key, put, "an id here is a UUID as it is usually written, in lower case");
            }
            return given;
        }
        tell(own, commit, key, put, "key " + other + " has it at the same time");
        return own;
    }

    private void tell(ContentId id, PeerCommit commit, ContentKey key, PeerContent put, String reason) {
        if (made.add(id)) {
            changed++;
            if (changes.size() < NAMED_CHANGES) {
                changes.add(new ChangedContentId(commit.hash(), key.toString(), put.id(), id.toString(), reason));
            }
        }
    }

    /** The same id here; empty if there is none that is written so. */
    private static Optional<ContentId> idHere(String id) {
        try {
            return Optional.of(ContentId.parse(id))
                    .filter(parsed -> parsed.toString().equals(id));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static ContentId madeFrom(String id, @Nullable ContentKey key) {
        String name = "anabranch content id " + id + (key == null ? "" : " " + key.elements());
        return new ContentId(UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8)));
    }
}
