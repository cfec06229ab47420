package org.anabranch.store.sql;

import java.nio.ByteBuffer;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.anabranch.model.CommitId;
import org.anabranch.model.ReferenceKind;
import org.anabranch.store.ChunkAddress;
import org.anabranch.store.CommitLinks;
import org.anabranch.store.Head;
import org.anabranch.store.PublishedHead;
import org.anabranch.store.Receipt;
import org.anabranch.store.ReferenceRow;

/** Between the records of the SPI and the columns that every store on SQL keeps them in, as docs/formats.md describes them. */
public final class RowCodec {

    /** The chunks of one row share its number in the upper bits of their address. */
    public static final int CHUNK_BITS = 16;

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

    private static List<PublishedHead> published(byte[] stored) {
        ByteBuffer bytes = ByteBuffer.wrap(stored);
        List<PublishedHead> heads = new ArrayList<>();
        while (bytes.hasRemaining()) {
            long number = bytes.getLong();
            byte[] id = new byte[CommitId.BYTES];
            bytes.get(id);
            heads.add(new PublishedHead(new Head(number, CommitId.of(id)), bytes.getLong()));
        }
        return heads;
    }

    /** From a row of the table {@code reference}. */
    public static ReferenceRow reference(ResultSet row) throws SQLException {
        return new ReferenceRow(
                row.getString("name"),
                ReferenceKind.valueOf(row.getString("kind")),
                head(row),
                row.getLong("incarnation"),
                row.getLong("version"),
                row.getLong("created_at_micros"),
                published(row.getBytes("published")));
    }

    /** From a row of the table {@code receipt}. */
    public static Receipt receipt(ResultSet row) throws SQLException {
        return new Receipt(
                row.getString("scope"),
                row.getBytes("request_digest"),
                head(row),
                row.getBytes("response"),
                row.getLong("expires_at_micros"));
    }

    private static Head head(ResultSet row) throws SQLException {
        return new Head(row.getLong("head_number"), CommitId.of(row.getBytes("head_id")));
    }
}
