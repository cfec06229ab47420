package org.anabranch.versioning.transfer.peer;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import org.anabranch.api.client.ApiFailure;

/**
 * The history of another server, which shows it youngest first, to be read oldest first. What commits hold waits in a file
 * meanwhile, deleted at the end; about 250 bytes of memory are taken for each commit. For one thread.
 */
final class PeerHistory implements AutoCloseable {

    private static final long NOT_READ = -1;
    private static final int RECORD_HEAD_BYTES = 2 * Integer.BYTES;

    private final PeerServer server;
    private final ObjectMapper json = new ObjectMapper();
    private final FileChannel spool;
    private long end;

    /** By hash, from 1 in the order in which hashes were met; 0 is no ancestor. */
    private final Map<String, Integer> numbers = new HashMap<>();

    private long[] positions = new long[1_024];
    private int[][] parents = new int[1_024][];
    private final Set<String> missing = new LinkedHashSet<>();
    private final Deflater deflater = new Deflater(Deflater.BEST_SPEED);
    private final Inflater inflater = new Inflater();
    private long read;

    /** @param folder where the file may lie; it takes some hundred bytes a commit */
    PeerHistory(PeerServer server, Path folder) throws IOException {
        this.server = server;
        Path file = Files.createTempFile(folder, "anabranch-import", ".spool");
        this.spool = FileChannel.open(
                file, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE);
        numbers.put(server.noAncestor(), 0);
    }

    /** Merge sources that the server does not have any more. */
    List<String> missing() {
        return List.copyOf(missing);
    }

    /** How many commits were read. */
    long size() {
        return read;
    }

    /**
     * Reads what a commit leads to and is not known yet.
     *
     * @param progress is told after each commit
     */
    void read(String head, Runnable progress) throws IOException {
        Deque<String> sources = new ArrayDeque<>();
        if (!isRead(head)) {
            readLine(head, sources, progress);
        }
        while (!sources.isEmpty()) {
            String source = sources.pop();
            try {
                if (!isRead(source)) {
                    readLine(source, sources, progress);
                }
            } catch (ApiFailure e) {
                if (e.status() != 404 || isRead(source)) {
                    throw e;
                }
                missing.add(source);
            }
        }
    }

    private boolean isRead(String hash) {
        Integer number = numbers.get(hash);
        return number != null && (number == 0 || positions[number] != NOT_READ);
    }

    private void readLine(String from, Deque<String> lines, Runnable progress) throws IOException {
        Iterator<JsonNode> log = server.log(from);
        String expected = from;
        while (log.hasNext()) {
            JsonNode entry = log.next();
            String hash = PeerCommit.hash(entry);
            if (!hash.equals(expected)) {
                throw new PeerException("The server shows commit " + hash + " where " + expected + " must be", null);
            }
            if (isRead(hash)) {
                return;
            }
            List<String> named = PeerCommit.parents(entry, server.noAncestor());
            int number = number(hash);
            parents[number] = named.stream().mapToInt(this::number).toArray();
            positions[number] = write(entry);
            read++;
            named.stream().skip(1).forEach(lines::push);
            expected = named.getFirst();
            progress.run();
        }
        if (!isRead(expected)) {
            throw new PeerException(
                    "The server's log ends before commit " + expected + ", without which history is not whole", null);
        }
    }

    private int number(String hash) {
        return numbers.computeIfAbsent(hash, each -> {
            int number = numbers.size();
            if (number == positions.length) {
                positions = Arrays.copyOf(positions, 2 * number);
                parents = Arrays.copyOf(parents, 2 * number);
            }
            positions[number] = NOT_READ;
            return number;
        });
    }

    private long write(JsonNode entry) throws IOException {
        byte[] plain = json.writeValueAsBytes(entry);
        deflater.reset();
        deflater.setInput(plain);
        deflater.finish();
        byte[] stored = new byte[plain.length + plain.length / 1_000 + 100];
        int length = deflater.deflate(stored);
        ByteBuffer record = ByteBuffer.allocate(RECORD_HEAD_BYTES + length)
                .putInt(plain.length)
                .putInt(length)
                .put(stored, 0, length)
                .flip();
        long position = end;
        while (record.hasRemaining()) {
            end += spool.write(record, end);
        }
        return position;
    }

    private JsonNode entry(int number) throws IOException {
        ByteBuffer head = readFully(ByteBuffer.allocate(RECORD_HEAD_BYTES), positions[number]);
        byte[] plain = new byte[head.getInt()];
        ByteBuffer stored = readFully(ByteBuffer.allocate(head.getInt()), positions[number] + RECORD_HEAD_BYTES);
        inflater.reset();
        inflater.setInput(stored.array());
        try {
            inflater.inflate(plain);
        } catch (DataFormatException e) {
            throw new IOException("What was put aside of the history cannot be read back", e);
        }
        return json.readTree(plain);
    }

    private ByteBuffer readFully(ByteBuffer buffer, long from) throws IOException {
        long position = from;
        while (buffer.hasRemaining()) {
            int bytes = spool.read(buffer, position);
            if (bytes < 0) {
                throw new IOException("What was put aside of the history ends too early");
            }
            position += bytes;
        }
        return buffer.flip();
    }

    /** Takes one commit. */
    interface Visitor {

        /**
         * @param entry of the log
         * @param parents what was returned for them; 0 for no ancestor, and without those that are missing
         * @return its ordinal, at least 1; of several commits the same if they are one here
         */
        int visit(JsonNode entry, List<Integer> parents);
    }

    /**
     * Visits what heads lead to, parents before children, whole lines of first parents first.
     *
     * @return the ordinals of the heads
     */
    List<Integer> visit(List<String> heads, Visitor visitor) throws IOException {
        int[] ordinals = new int[numbers.size()];
        BitSet entered = new BitSet();
        for (String head : heads) {
            Deque<Integer> path = new ArrayDeque<>(List.of(numbers.get(head)));
            while (!path.isEmpty()) {
                int number = path.peek();
                if (isDone(number, ordinals)) {
                    path.pop();
                } else if (entered.get(number)) {
                    path.pop();
                    ordinals[number] = visitor.visit(
                            entry(number),
                            Arrays.stream(parents[number])
                                    .filter(parent -> parent == 0 || positions[parent] != NOT_READ)
                                    .map(parent -> ordinals[parent])
                                    .boxed()
                                    .toList());
                } else {
                    entered.set(number);
                    for (int i = parents[number].length - 1; i >= 0; i--) {
                        int parent = parents[number][i];
                        if (entered.get(parent) && !isDone(parent, ordinals)) {
                            throw new PeerException("The server shows a commit as its own ancestor", null);
                        }
                        path.push(parent);
                    }
                }
            }
        }
        return heads.stream().map(head -> ordinals[numbers.get(head)]).toList();
    }

    private boolean isDone(int number, int[] ordinals) {
        return number == 0 || ordinals[number] != 0 || positions[number] == NOT_READ;
    }

    @Override
    public void close() throws IOException {
        deflater.end();
        inflater.end();
        spool.close();
    }
}
