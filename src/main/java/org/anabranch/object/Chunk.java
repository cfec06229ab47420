package org.anabranch.object;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.zip.CRC32C;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import org.anabranch.store.ChunkAddress;

/**
 * A part of a commit row as the store keeps it: its items, framed with version, compression and checksum. See
 * docs/formats.md, section 2.
 */
final class Chunk {

    /** A chunk is closed before it grows past this, unless one item alone is larger. */
    static final int TARGET_BYTES = 32 * 1024;

    /** An ordinal is the chunk's place in the row times this, plus the item's place in the chunk. */
    static final int MAX_ITEMS = 1 << 12;

    private static final int VERSION = 1;
    private static final int PLAIN = 0;
    private static final int DEFLATED = 1;
    private static final int CHECKSUM_BYTES = 4;

    /** To be used again: to set one up costs more than to deflate a small row with it. */
    private static final Queue<Deflater> IDLE_DEFLATERS = new ArrayBlockingQueue<>(16);

    private final byte[] payload;
    private final List<Integer> ends;

    private Chunk(byte[] payload, List<Integer> ends) {
        this.payload = payload;
        this.ends = ends;
    }

    static ChunkAddress addressOf(NodeAddress item) {
        return new ChunkAddress(item.commitNumber(), item.ordinal() / MAX_ITEMS);
    }

    static NodeAddress itemAddress(long number, int chunk, int place) {
        return new NodeAddress(number, Math.addExact(Math.multiplyExact(chunk, MAX_ITEMS), place));
    }

    /** The items as they are framed, uncompressed; not to be changed. */
    byte[] payload() {
        return payload;
    }

    int items() {
        return ends.size();
    }

    /** The item of that ordinal, which lies in this chunk. */
    ByteReader item(int ordinal) {
        int place = ordinal % MAX_ITEMS;
        if (place >= ends.size()) {
            throw new CorruptObjectException("A chunk does not have the item that is pointed at");
        }
        int from = place == 0 ? 0 : ends.get(place - 1);
        ByteReader in = new ByteReader(payload, from, ends.get(place));
        in.count();
        return in;
    }

    static byte[] encode(ChunkAddress address, List<byte[]> items) {
        ByteWriter payload = new ByteWriter();
        items.forEach(payload::sized);
        return frame(address, payload.toBytes());
    }

    static byte[] frame(ChunkAddress address, byte[] payload) {
        ByteWriter out = new ByteWriter().u8(VERSION);
        byte[] deflated = new byte[payload.length - payload.length / 10];
        int deflatedBytes = deflate(payload, deflated);
        if (deflatedBytes > 0) {
            out.u8(DEFLATED).number(payload.length).raw(deflated, 0, deflatedBytes);
        } else {
            out.u8(PLAIN).raw(payload);
        }
        int checksum = checksum(address, out.toBytes(), out.size());
        for (int shift = 24; shift >= 0; shift -= 8) {
            out.u8(checksum >>> shift);
        }
        return out.toBytes();
    }

    /** How many bytes were written; 0 if the target is too short for them all. */
    private static int deflate(byte[] source, byte[] target) {
        Deflater idle = IDLE_DEFLATERS.poll();
        Deflater deflater = idle != null ? idle : new Deflater(Deflater.BEST_SPEED, true);
        deflater.setInput(source);
        deflater.finish();
        int written = deflater.deflate(target);
        boolean finished = deflater.finished();
        deflater.reset();
        if (!IDLE_DEFLATERS.offer(deflater)) {
            deflater.end();
        }
        return finished ? written : 0;
    }

    static Chunk decode(ChunkAddress address, byte[] framed) {
        int bodyEnd = framed.length - CHECKSUM_BYTES;
        if (bodyEnd < 2) {
            throw new CorruptObjectException("A chunk is too short: " + address);
        }
        int stored = 0;
        for (int i = bodyEnd; i < framed.length; i++) {
            stored = stored << 8 | framed[i] & 0xff;
        }
        if (stored != checksum(address, framed, bodyEnd)) {
            throw new CorruptObjectException("A chunk's checksum is wrong: " + address);
        }
        ByteReader in = new ByteReader(framed, 0, bodyEnd);
        if (in.u8() != VERSION) {
            throw new CorruptObjectException("A chunk has an unknown version: " + address);
        }
        byte[] payload =
                switch (in.u8()) {
                    case PLAIN -> Arrays.copyOfRange(framed, in.position(), bodyEnd);
                    case DEFLATED -> inflate(in.count(), framed, in.position(), bodyEnd);
                    default -> throw new CorruptObjectException("A chunk has an unknown compression: " + address);
                };
        List<Integer> ends = new ArrayList<>();
        ByteReader items = new ByteReader(payload);
        while (items.hasMore()) {
            items.skip(items.count());
            ends.add(items.position());
        }
        return new Chunk(payload, ends);
    }

    private static byte[] inflate(int payloadBytes, byte[] framed, int from, int until) {
        byte[] payload = new byte[payloadBytes];
        Inflater inflater = new Inflater(true);
        try {
            inflater.setInput(framed, from, until - from);
            int inflated = 0;
            while (inflated < payloadBytes) {
                int more = inflater.inflate(payload, inflated, payloadBytes - inflated);
                if (more == 0) {
                    throw new CorruptObjectException("A chunk's compressed bytes end too early");
                }
                inflated += more;
            }
            return payload;
        } catch (DataFormatException e) {
            throw new CorruptObjectException("A chunk's compressed bytes cannot be read");
        } finally {
            inflater.end();
        }
    }

    /** Covers the address too, so that a chunk in another one's place is noticed. */
    private static int checksum(ChunkAddress address, byte[] framed, int until) {
        CRC32C checksum = new CRC32C();
        checksum.update(new ByteWriter()
                .fixed64(address.number())
                .fixed64(address.chunk())
                .toBytes());
        checksum.update(framed, 0, until);
        return (int) checksum.getValue();
    }
}
