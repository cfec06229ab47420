package org.anabranch.store.sql;

import java.nio.ByteBuffer;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.RandomAccess;
import org.anabranch.model.CommitId;
import org.anabranch.model.ReferenceKind;
import org.anabranch.store.ChunkAddress;
import org.anabranch.store.CommitLinks;
import org.anabranch.store.Head;
import org.anabranch.store.MissingRowException;
import org.anabranch.store.PublishedHead;
import org.anabranch.store.Receipt;
import org.anabranch.store.ReferenceRow;

/** Between the records of the SPI and the columns that every store on SQL keeps them in, as docs/formats.md describes them. */
public final class RowCodec {

    /** The chunks of one row share its number in the upper bits of their address. */
    public static final int CHUNK_BITS = 16;

    /** What {@link #reference} reads, in its order. */
    public static final String REFERENCE_COLUMNS =
            "name, kind, head_number, head_id, incarnation, version, created_at_micros, published";

    private static final int PUBLISHED_BYTES = Long.BYTES + CommitId.BYTES + Long.BYTES;

    private RowCodec() {}

    /** Where a chunk lies, as one number. */
    public static long address(ChunkAddress chunk) {
        return address(chunk.number(), chunk.chunk());
    }

    /** As {@link #address(ChunkAddress)}. */
    public static long address(long number, int chunk) {
        if (chunk >> CHUNK_BITS != 0 || number >> (Long.SIZE - 1 - CHUNK_BITS) != 0) {
            throw new IllegalArgumentException("A row has too many chunks or too high a number");
        }
        return number << CHUNK_BITS | chunk;
    }

    /** The last address that a chunk of a row can have. */
    public static long lastAddress(long number) {
        return address(number, (1 << CHUNK_BITS) - 1);
    }

    /**
     * Chunks in the order asked for.
     *
     * @param stored their bytes, by {@link #address}
     * @throws MissingRowException if one of them is not stored; it names them all
     */
    public static List<byte[]> inOrder(List<ChunkAddress> chunks, Map<Long, byte[]> stored) {
        List<ChunkAddress> missing = chunks.stream()
                .filter(chunk -> !stored.containsKey(address(chunk)))
                .toList();
        if (!missing.isEmpty()) {
            throw new MissingRowException(missing);
        }
        return chunks.stream().map(chunk -> stored.get(address(chunk))).toList();
    }

    /** The numbers of a row's parents, 8 bytes each, big-endian. */
    public static byte[] parents(List<Long> numbers) {
        ByteBuffer bytes = ByteBuffer.allocate(numbers.size() * Long.BYTES);
        numbers.forEach(bytes::putLong);
        return bytes.array();
    }

    /** From a row with the columns {@code number}, {@code id} and {@code parents}. */
    public static CommitLinks links(ResultSet row) throws SQLException {
        ByteBuffer stored = ByteBuffer.wrap(row.getBytes("parents"));
        List<Long> parents = new ArrayList<>();
        while (stored.remaining() >= Long.BYTES) {
            parents.add(stored.getLong());
        }
        return new CommitLinks(row.getLong("number"), CommitId.of(row.getBytes("id")), parents);
    }

    /** For each head: number, id and time, 48 bytes together; numbers big-endian. */
    public static byte[] published(List<PublishedHead> heads) {
        ByteBuffer bytes = ByteBuffer.allocate(heads.size() * PUBLISHED_BYTES);
        for (PublishedHead published : heads) {
            bytes.putLong(published.head().number());
            bytes.put(published.head().id().toBytes());
            bytes.putLong(published.publishedAtMicros());
        }
        return bytes.array();
    }

    /** Decodes a head when it is looked at, which few who read a reference do. */
    private static final class StoredHeads extends AbstractList<PublishedHead> implements RandomAccess {

        private final byte[] stored;

        StoredHeads(byte[] stored) {
            this.stored = stored;
        }

        @Override
        public int size() {
            return stored.length / PUBLISHED_BYTES;
        }

        @Override
        public PublishedHead get(int index) {
            ByteBuffer bytes = ByteBuffer.wrap(stored, index * PUBLISHED_BYTES, PUBLISHED_BYTES);
            long number = bytes.getLong();
            byte[] id = new byte[CommitId.BYTES];
            bytes.get(id);
            return new PublishedHead(new Head(number, CommitId.of(id)), bytes.getLong());
        }
    }

    /** From a row of the table {@code reference} with the columns {@link #REFERENCE_COLUMNS}. */
    public static ReferenceRow reference(ResultSet row) throws SQLException {
        return new ReferenceRow(
                row.getString(1),
                ReferenceKind.valueOf(row.getString(2)),
                new Head(row.getLong(3), CommitId.of(row.getBytes(4))),
                row.getLong(5),
                row.getLong(6),
                row.getLong(7),
                new StoredHeads(row.getBytes(8)));
    }

    /** From a row of the table {@code receipt}. */
    public static Receipt receipt(ResultSet row) throws SQLException {
        return new Receipt(
                row.getString("scope"),
                row.getBytes("request_digest"),
                new Head(row.getLong("head_number"), CommitId.of(row.getBytes("head_id"))),
                row.getBytes("response"),
                row.getLong("expires_at_micros"));
    }
}
