package org.anabranch.gc.sweep;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import org.anabranch.gc.FileDeleter.Failure;
import org.anabranch.gc.TableFiles.Unreadable;
import org.anabranch.gc.state.UnreferencedFiles.Unreferenced;

/**
 * What sweeps did, one JSON object per line, appended and on the disk when a method returns. For one thread.
 *
 * <p>Each line has {@code at}, {@code run} and {@code event}: {@code unreadable} (a file that a live content needs), {@code
 * left-alone} (a folder that is not swept), {@code would-delete} (of a dry run), {@code deleting} (written before the storage
 * is asked), then {@code deleted} or {@code failed}, and {@code needed-again} or {@code changed} (a file that was about to go
 * and is kept). A {@code deleting} that nothing follows was broken off: the file may be there or gone.
 */
final class SweepReport implements AutoCloseable {

    private static final ObjectMapper JSON = new ObjectMapper();

    private final FileChannel channel;
    private final long run;

    private SweepReport(FileChannel channel, long run) {
        this.channel = channel;
        this.run = run;
    }

    /** @throws UncheckedIOException if the file cannot be written */
    static SweepReport append(Path file, long run) {
        try {
            FileChannel channel = FileChannel.open(
                    file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
            return new SweepReport(channel, run);
        } catch (IOException e) {
            throw new UncheckedIOException("The report " + file + " cannot be written", e);
        }
    }

    void unreadable(Instant at, List<Unreadable> files) {
        write(
                files,
                file -> line(at, "unreadable")
                        .put("path", file.path())
                        .put("cause", file.cause().name())
                        .put("reason", file.reason()));
    }

    void leftAlone(Instant at, List<LeftAlone> folders) {
        write(
                folders,
                folder -> line(at, "left-alone")
                        .put("path", folder.path())
                        .put("cause", folder.cause().name())
                        .put("reason", folder.reason()));
    }

    /** @param event {@code would-delete} or {@code deleting} */
    void announced(Instant at, String event, Collection<Unreferenced> files) {
        write(
                files,
                file -> line(at, event)
                        .put("path", file.file().path())
                        .put("bytes", file.file().bytes())
                        .put("modifiedAt", file.file().modifiedAt().toString())
                        .put("unreferencedSinceRun", file.sinceRun())
                        .put("unreferencedSince", file.since().toString()));
    }

    /** @param event {@code needed-again} or {@code changed} */
    void kept(Instant at, String event, Collection<Unreferenced> files) {
        write(files, file -> line(at, event).put("path", file.file().path()));
    }

    void deleted(Instant at, Collection<Unreferenced> files) {
        write(
                files,
                file -> line(at, "deleted")
                        .put("path", file.file().path())
                        .put("bytes", file.file().bytes()));
    }

    void failed(Instant at, Collection<Failure> failures) {
        write(
                failures,
                failure -> line(at, "failed").put("path", failure.file().path()).put("reason", failure.reason()));
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private ObjectNode line(Instant at, String event) {
        return JSON.createObjectNode().put("at", at.toString()).put("run", run).put("event", event);
    }

    private <T> void write(Collection<T> items, Function<T, ObjectNode> line) {
        if (items.isEmpty()) {
            return;
        }
        List<String> lines = new ArrayList<>();
        items.forEach(item -> lines.add(line.apply(item).toString()));
        ByteBuffer bytes = ByteBuffer.wrap((String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8));
        try {
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(false);
        } catch (IOException e) {
            throw new UncheckedIOException("The report cannot be written: nothing is deleted that it does not tell", e);
        }
    }
}
