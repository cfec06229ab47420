package org.anabranch.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.anabranch.model.CommitId;
import org.anabranch.store.ChunkAddress;
import org.anabranch.store.ReferenceRow;
import org.anabranch.store.Store;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What was acknowledged is on the disk: watched at the system calls, and tried with processes that end badly. */
class EmbeddedStoreDurabilityTest {

    private static final int ROWS = 3;

    @TempDir
    Path folder;

    @Test
    void everyAcknowledgedBatchWasSyncedBefore() throws Exception {
        int batches = 100;
        Path trace = folder.resolve("trace");
        assumeTrue(canTrace(), "strace is not installed or may not trace");
        Process writer = WriterProcess.start(
                List.of("strace", "-f", "-y", "-s", "16", "-e", "trace=fsync,fdatasync,write", "-o", trace.toString()),
                folder.resolve("store"),
                1,
                ROWS,
                batches);
        assertThat(acknowledged(writer)).hasSize(1).containsEntry("branch-0", (long) batches);

        List<Integer> syncsBeforeAck = new ArrayList<>();
        int syncs = 0;
        // A call that another thread's call interrupts is traced in two lines, and only the second has the result.
        Pattern synced = Pattern.compile("(fsync|fdatasync)(\\(| resumed).*= 0$");
        for (String line : Files.readAllLines(trace)) {
            if (synced.matcher(line).find()) {
                syncs++;
            } else if (line.contains("write(1<") && line.contains("\"ack ")) {
                syncsBeforeAck.add(syncs);
                syncs = 0;
            }
        }
        // One sync takes the block of numbers, one writes the batch; now and then the log is moved into the file.
        assertThat(syncsBeforeAck).hasSize(batches).allMatch(count -> count >= 2);
        assertThat(syncsBeforeAck.stream().mapToInt(Integer::intValue).average().orElseThrow())
                .isLessThan(2.5);
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2})
    void whatWasAcknowledgedBeforeAKillIsThere(long seed) throws Exception {
        Random random = new Random(seed);
        Path store = folder.resolve("store");
        Map<String, Long> acknowledged = new HashMap<>();
        for (int round = 0; round < 3; round++) {
            Process writer = WriterProcess.start(List.of(), store, 4, ROWS, Integer.MAX_VALUE);
            int killAfterLines = 1 + random.nextInt(400);
            try (BufferedReader lines = writer.inputReader()) {
                for (int line = 0; line < killAfterLines; line++) {
                    note(lines.readLine(), acknowledged);
                }
                // By its handle: the process itself would close the stream with lines in it.
                writer.toHandle().destroyForcibly();
                lines.lines().forEach(line -> note(line, acknowledged));
            }
            assertThat(writer.waitFor()).isEqualTo(128 + 9);

            assertAllThere(store, acknowledged);
            assertIntegrity(store);
        }
    }

    @Test
    void whatWasAcknowledgedBeforeTheDiskRefusedIsThere() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/bin/sh")), "needs a shell that limits the size of files");
        Path store = folder.resolve("store");
        Process writer = WriterProcess.start(
                List.of("/bin/sh", "-c", "ulimit -f 20000; exec \"$@\"", "sh"), store, 2, 64, Integer.MAX_VALUE);

        Map<String, Long> acknowledged = acknowledged(writer);

        assertThat(acknowledged).isNotEmpty();
        try (Store reopened = EmbeddedStore.open(store)) {
            acknowledged.forEach((branch, version) -> assertThat(
                            reopened.reference(branch).orElseThrow().version())
                    .isBetween(version, version + 1));
        }
        assertIntegrity(store);
    }

    private static boolean canTrace() throws IOException, InterruptedException {
        try {
            Process probe = new ProcessBuilder("strace", "-f", "-o", "/dev/null", "true").start();
            return probe.waitFor() == 0;
        } catch (IOException notInstalled) {
            return false;
        }
    }

    /** Reads a process to its end: the last version acknowledged for each branch. */
    private static Map<String, Long> acknowledged(Process process) throws IOException, InterruptedException {
        Map<String, Long> acknowledged = new HashMap<>();
        try (BufferedReader lines = process.inputReader()) {
            lines.lines().forEach(line -> note(line, acknowledged));
        }
        assertThat(process.waitFor(1, TimeUnit.MINUTES))
                .as("waiting for the end of the writer")
                .isTrue();
        return acknowledged;
    }

    private static void note(String line, Map<String, Long> acknowledged) {
        String[] words = line.split(" ");
        switch (words[0]) {
            case "ack" -> acknowledged.put(words[1], Long.valueOf(words[2]));
            case "failed" -> assertThat(words[1]).isIn("StoreUnavailableException", "OutcomeUnknownException");
            default -> assertThat(line).isEqualTo("open");
        }
    }

    private static void assertAllThere(Path folder, Map<String, Long> acknowledged) {
        try (Store store = EmbeddedStore.open(folder)) {
            acknowledged.forEach((branch, version) -> {
                ReferenceRow reference = store.reference(branch).orElseThrow();
                // The write after the last acknowledged one may have been made, but no other one.
                assertThat(reference.version()).isBetween(version, version + 1);
                List<CommitId> ids = LongStream.range(0, reference.version() * ROWS)
                        .mapToObj(position -> WriterProcess.id(branch, position))
                        .toList();
                Map<CommitId, Long> numbers = store.find(ids);
                assertThat(numbers).hasSize(ids.size());
                assertThat(numbers.get(ids.getLast()))
                        .isEqualTo(reference.head().number());
                assertThat(store.fetch(numbers.values().stream()
                                .map(number -> new ChunkAddress(number, 0))
                                .toList()))
                        .hasSize(ids.size());
            });
        }
    }

    private static void assertIntegrity(Path folder) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve(EmbeddedStore.FILE));
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("PRAGMA integrity_check")) {
            assertThat(result.getString(1)).isEqualTo("ok");
        }
    }
}
