package org.anabranch.versioning.transfer;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.anabranch.model.CommitId;

/**
 * Ids of commits by ordinal, from 1, and ordinals by id. Takes 40 to 48 bytes a commit. Not safe from many threads.
 *
 * <p>The way back is a table of ordinals with open addressing: an id is looked for from the place on that its first bytes say, until
 * an empty place ends the search. The table is never more than half full.
 */
final class CommitIds {

    private static final int IDS_PER_BLOCK = 1 << 15;

    /** In blocks, because one array would end at 67 million. */
    private final List<byte[]> blocks = new ArrayList<>();

    /** Ordinals, and 0 where there is none. The size is a power of two. */
    private int[] places = new int[2_048];

    private int size;

    /** How many ids there are; the last one's ordinal. */
    int size() {
        return size;
    }

    CommitId id(int ordinal) {
        int from = from(ordinal);
        return CommitId.of(Arrays.copyOfRange(block(ordinal), from, from + CommitId.BYTES));
    }

    /** The ordinal of an id; 0 if it is not there. */
    int ordinal(CommitId id) {
        return places[place(id.hashCode(), id.toBytes())];
    }

    /**
     * Adds an id as the next one, unless it is there.
     *
     * @return its ordinal
     */
    int add(CommitId id) {
        byte[] bytes = id.toBytes();
        int place = place(id.hashCode(), bytes);
        if (places[place] != 0) {
            return places[place];
        }
        if (size % IDS_PER_BLOCK == 0) {
            blocks.add(new byte[IDS_PER_BLOCK * CommitId.BYTES]);
        }
        size++;
        System.arraycopy(bytes, 0, block(size), from(size), CommitId.BYTES);
        places[place] = size;
        if (size == places.length / 2) {
            places = new int[2 * places.length];
            for (int ordinal = 1; ordinal <= size; ordinal++) {
                places[emptyPlace(ByteBuffer.wrap(block(ordinal)).getInt(from(ordinal)))] = ordinal;
            }
        }
        return size;
    }

    /** Where an id is, or would be. */
    private int place(int hash, byte[] id) {
        int place = hash & places.length - 1;
        while (places[place] != 0 && !isAt(places[place], id)) {
            place = place + 1 & places.length - 1;
        }
        return place;
    }

    private int emptyPlace(int hash) {
        int place = hash & places.length - 1;
        while (places[place] != 0) {
            place = place + 1 & places.length - 1;
        }
        return place;
    }

    private boolean isAt(int ordinal, byte[] id) {
        int from = from(ordinal);
        return Arrays.equals(block(ordinal), from, from + CommitId.BYTES, id, 0, CommitId.BYTES);
    }

    private byte[] block(int ordinal) {
        return blocks.get((ordinal - 1) / IDS_PER_BLOCK);
    }

    private static int from(int ordinal) {
        return (ordinal - 1) % IDS_PER_BLOCK * CommitId.BYTES;
    }
}
