package org.anabranch.store.embedded;

import java.nio.ByteBuffer;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import org.anabranch.model.CommitId;
import org.anabranch.model.ReferenceKind;
import org.anabranch.store.ChunkAddress;
import org.anabranch.store.CommitLinks;
import org.anabranch.store.Head;
import org.anabranch.store.PublishedHead;
import org.anabranch.store.Receipt;
import org.anabranch.store.ReferenceRow;

/** Between the records of the SPI and the columns of the tables. */
final class RowCodec {

    private static final int PUBLISHED_BYTES = Long.BYTES + CommitId.BYTES + Long.BYTES;

    private RowCodec() {}

    static long address(ChunkAddress chunk) {
        return address(chunk.number(), chunk.chunk());
    }

    static long address(long number, int chunk) {
        if (chunk >> Schema.CHUNK_BITS != 0 || number >> (Long.SIZE - 1 - Schema.CHUNK_BITS) != 0) {
            throw new IllegalArgumentException("A row has too many chunks or too high a number");
        }
        return number << Schema.CHUNK_BITS | chunk;
    }

    static byte[] parents(List<Long> numbers) {
        ByteBuffer bytes = ByteBuffer.allocate(numbers.size() * Long.BYTES);
        numbers.forEach(bytes::putLong);
        return bytes.array();
    }

    /** From a row of the table {@code commit_row}. */
    static CommitLinks links(ResultSet row) throws SQLException {
        ByteBuffer stored = ByteBuffer.wrap(row.getBytes("parents"));
        List<Long> parents = new ArrayList<>();
        while (stored.remaining() >= Long.BYTES) {
            parents.add(stored.getLong());
        }
        return new CommitLinks(row.getLong("number"), CommitId.of(row.getBytes("id")), parents);
    }

    static byte[] published(List<PublishedHead> heads) {
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
    static ReferenceRow reference(ResultSet row) throws SQLException {
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
    static Receipt receipt(ResultSet row) throws SQLException {
        return new Receipt(
                row.getString("scope"),
                row.getBytes("request_digest"),
                head(row),
                row.getBytes("response"),
                row.getLong("expires_at_micros"));
    }

    /** A list of any length as the one parameter of a statement, to be taken apart by {@code json_each}. */
    static String jsonNumbers(Collection<Long> numbers) {
        return numbers.stream().map(String::valueOf).collect(Collectors.joining(",", "[", "]"));
    }

    /** As {@link #jsonNumbers}, of ids as hex digits. */
    static String jsonIds(Collection<CommitId> ids) {
        return ids.stream().map(id -> "\"" + id + "\"").collect(Collectors.joining(",", "[", "]"));
    }

    private static Head head(ResultSet row) throws SQLException {
        return new Head(row.getLong("head_number"), CommitId.of(row.getBytes("head_id")));
    }
}
