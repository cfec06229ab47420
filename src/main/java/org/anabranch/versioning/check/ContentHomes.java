package org.anabranch.versioning.check;

import com.google.common.hash.HashFunction;
import com.google.common.hash.Hashing;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.anabranch.model.ContentId;
import org.anabranch.object.IndexKey;

/**
 * Under which keys content ids ever stood, in all commits verified so far.
 *
 * <p>Hardly any id ever stands under a second key. So an id takes some 25 bytes here, in an open hash table: a hash of it, a print
 * of the one key, and the commit that brought it there. Ids that had several keys are kept apart, with those keys.
 */
final class ContentHomes {

    /** Knows which key an id stood under first. */
    @FunctionalInterface
    interface FirstKeys {

        /**
         * The key under which a commit put an id.
         *
         * @param row of the commit
         * @param print the key's hash code
         */
        Optional<IndexKey> find(long row, ContentId id, int print);
    }

    private final HashFunction hash;
    private final FirstKeys firstKeys;
    private final Map<ContentId, Set<IndexKey>> moved = new HashMap<>();
    private long[] hashes = new long[1_024];
    private long[] rows = new long[1_024];
    private int[] prints = new int[1_024];
    private int size;

    /** @param salt any number that nobody outside can know, so that ids cannot be chosen to have equal hashes */
    ContentHomes(UUID salt, FirstKeys firstKeys) {
        this.hash = Hashing.sipHash24(salt.getMostSignificantBits(), salt.getLeastSignificantBits());
        this.firstKeys = firstKeys;
    }

    /**
     * Notes that a commit puts an id under a key that did not hold it before.
     *
     * @param row of the commit
     * @return all other keys under which the id stood in commits noted before
     */
    Set<IndexKey> note(ContentId id, IndexKey key, long row) {
        long hashed = hash(id);
        int slot = slot(hashed);
        if (rows[slot] == 0) {
            take(slot, hashed, row, key.hashCode());
            return Set.of();
        }
        Set<IndexKey> keys = moved.get(id);
        if (keys == null) {
            if (prints[slot] == key.hashCode()) {
                return Set.of();
            }
            keys = new TreeSet<>();
            firstKeys.find(rows[slot], id, prints[slot]).ifPresent(keys::add);
            moved.put(id, keys);
        }
        Set<IndexKey> others = new TreeSet<>(keys);
        others.remove(key);
        keys.add(key);
        return others;
    }

    private long hash(ContentId id) {
        return hash.newHasher()
                .putLong(id.value().getMostSignificantBits())
                .putLong(id.value().getLeastSignificantBits())
                .hash()
                .asLong();
    }

    /** Where a hash stands, or would stand: slots without a row are free. */
    private int slot(long hashed) {
        int slot = (int) hashed & hashes.length - 1;
        while (rows[slot] != 0 && hashes[slot] != hashed) {
            slot = slot + 1 & hashes.length - 1;
        }
        return slot;
    }

    private void take(int slot, long hashed, long row, int print) {
        hashes[slot] = hashed;
        rows[slot] = row;
        prints[slot] = print;
        size++;
        if (size > hashes.length / 4 * 3) {
            long[] oldHashes = hashes;
            long[] oldRows = rows;
            int[] oldPrints = prints;
            hashes = new long[2 * oldHashes.length];
            rows = new long[hashes.length];
            prints = new int[hashes.length];
            for (int i = 0; i < oldHashes.length; i++) {
                if (oldRows[i] != 0) {
                    int free = slot(oldHashes[i]);
                    hashes[free] = oldHashes[i];
                    rows[free] = oldRows[i];
                    prints[free] = oldPrints[i];
                }
            }
        }
    }
}
