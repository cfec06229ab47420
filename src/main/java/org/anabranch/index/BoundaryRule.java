package org.anabranch.index;

import com.google.common.hash.HashFunction;
import com.google.common.hash.Hashing;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.anabranch.object.IndexKey;

/**
 * Says where the nodes of a level end, from the keys of the level's items alone. See docs/formats.md, section 6.
 *
 * <p>An item ends its node iff its hash is smaller than those of the {@code w} items before and the {@code w} items after it,
 * all of which must exist; such a boundary is called natural. Where no natural one comes, a node is cut at
 * {@link #maxItems}. The last item of a level ends its node, too. So a boundary depends on its neighbours, and an edit moves
 * boundaries nearby only.
 */
final class BoundaryRule {

    private static final int SALT_BYTES = 16;

    private final HashFunction hash;
    private final int leafNeighbours;
    private final int innerNeighbours;
    private final int maxWindows;

    /**
     * The rule of the stored format.
     *
     * @param salt 16 bytes, so that nobody can choose keys that make a bad shape
     */
    BoundaryRule(byte[] salt) {
        this(salt, 7, 15, 4);
    }

    /**
     * @param leafNeighbours how many items on either side a natural boundary between leaves is compared with
     * @param innerNeighbours the same above the leaves
     * @param maxWindows how many times the item and its neighbours fit into the largest node
     */
    BoundaryRule(byte[] salt, int leafNeighbours, int innerNeighbours, int maxWindows) {
        if (salt.length != SALT_BYTES) {
            throw new IllegalArgumentException("A salt has 16 bytes");
        }
        ByteBuffer words = ByteBuffer.wrap(salt);
        this.hash = Hashing.sipHash24(words.getLong(), words.getLong());
        this.leafNeighbours = leafNeighbours;
        this.innerNeighbours = innerNeighbours;
        this.maxWindows = maxWindows;
    }

    /** How many items on either side a natural boundary is compared with. */
    int neighbours(int level) {
        return level == 0 ? leafNeighbours : innerNeighbours;
    }

    /** The most items of a node. */
    int maxItems(int level) {
        return maxWindows * (2 * neighbours(level) + 1);
    }

    /** To be compared as an unsigned number. */
    long hash(int level, IndexKey key) {
        return hash.newHasher()
                .putByte((byte) level)
                .putBytes(key.bytes())
                .hash()
                .asLong();
    }

    /** Cuts the items of a whole level: the index of the last item of each node, in order. This is the definition. */
    List<Integer> ends(int level, List<IndexKey> keys) {
        long[] hashes = new long[keys.size()];
        for (int i = 0; i < hashes.length; i++) {
            hashes[i] = hash(level, keys.get(i));
        }
        List<Integer> ends = new ArrayList<>();
        int start = 0;
        for (int i = 0; i < hashes.length; i++) {
            if (isNatural(hashes, i, neighbours(level)) || i - start + 1 == maxItems(level) || i == hashes.length - 1) {
                ends.add(i);
                start = i + 1;
            }
        }
        return ends;
    }

    private static boolean isNatural(long[] hashes, int i, int neighbours) {
        if (i < neighbours || i >= hashes.length - neighbours) {
            return false;
        }
        for (int d = 1; d <= neighbours; d++) {
            if (Long.compareUnsigned(hashes[i], hashes[i - d]) >= 0
                    || Long.compareUnsigned(hashes[i], hashes[i + d]) >= 0) {
                return false;
            }
        }
        return true;
    }
}
