package org.anabranch.cli.gc.laws;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.anabranch.cli.service.ServiceProcess;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The command is killed while it marks, expands and sweeps, and run again: it comes to the same end as without that. */
class GcKillIT {

    private static final int STEPS = 40;
    private static final int KILLS_AMID_DELETIONS = 2;
    private static final int MOST_OTHER_RUNS = 20;
    private static final int ORPHANS = 60;
    private static final int MAX_MILLIS_BEFORE_KILL = 300;
    /** Folders behind links are left alone, which makes a 3. */
    private static final Set<Integer> DONE = Set.of(0, 3);

    private static final List<String> PHASES = List.of("Marking", "Expanding", "Looking for files");

    @TempDir
    private Path folder;

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("org.anabranch.cli.gc.laws.Seeds#some")
    void killedAndRunAgainItComesToTheSameEnd(long seed) throws Exception {
        Random random = new Random(seed);
        Path warehouse = folder.resolve("warehouse");
        Instant longAgo = Instant.now().minus(Duration.ofDays(30));
        try (ServiceProcess service = ServiceProcess.start(folder);
                RandomLake lake = new RandomLake(service.api(), warehouse, seed, longAgo, Duration.ofDays(1))) {
            lake.steps(STEPS);
            Cutoffs cutoffs = Cutoffs.heads();
            Path policies = Files.writeString(folder.resolve("policies.yaml"), cutoffs.toYaml());
            LakeAudit audit = new LakeAudit(lake.client(), LiveRules.of(cutoffs), Instant.now());
            addOrphans(audit.knownLocations().iterator().next(), longAgo);
            Set<Path> before = LakeAudit.files(warehouse);
            Path backup = folder.resolve("backup");
            copy(warehouse, backup);

            List<String> undisturbed = command(service.api(), warehouse, policies, folder.resolve("undisturbed"));
            assertThat(run(undisturbed)).isIn(DONE);
            assertThat(LakeAudit.files(warehouse)).as("after the first run").isEqualTo(before);
            assertThat(run(undisturbed)).isIn(DONE);
            Set<Path> after = LakeAudit.files(warehouse);
            assertThat(after).hasSizeLessThan(before.size());

            copy(backup, warehouse);
            List<String> killed = command(service.api(), warehouse, policies, folder.resolve("killed"));
            for (String phase : PHASES) {
                runAndKill(killed, phase, Duration.ofMillis(random.nextInt(MAX_MILLIS_BEFORE_KILL)));
                assertThat(audit.missing()).isEmpty();
            }
            assertThat(run(killed)).isIn(DONE);
            copy(backup, warehouse);
            List<Integer> left = new ArrayList<>();
            int present = before.size();
            for (int others = 0; left.size() < KILLS_AMID_DELETIONS; ) {
                runAndKillAmidDeletions(killed, 1 + random.nextInt(ORPHANS / KILLS_AMID_DELETIONS));
                assertThat(audit.missing()).isEmpty();
                int files = LakeAudit.files(warehouse).size();
                // On a busy machine a kill may come too late; and what is restored must be found before it is deleted.
                if (after.size() < files && files < present) {
                    left.add(files);
                    present = files;
                } else {
                    assertThat(++others)
                            .as("runs that deleted nothing or all before they were killed, besides %s", left)
                            .isLessThan(MOST_OTHER_RUNS);
                    copy(backup, warehouse);
                    present = before.size();
                }
            }
            assertThat(run(killed)).isIn(DONE);

            assertThat(LakeAudit.files(warehouse)).isEqualTo(after);
            assertThat(audit.unreadable(lake.changes())).isEmpty();
            System.out.printf(
                    "seed %d: of %d files %s were left when it was killed while it deleted, and %d in the end%n",
                    seed, before.size(), left, after.size());
        }
    }

    /** Kills the process some time after it says that a phase begins, unless it has ended by then. */
    private static void runAndKill(List<String> command, String phase, Duration delay) throws Exception {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try (BufferedReader output = process.inputReader()) {
            String line = output.readLine();
            while (line != null && !line.startsWith(phase)) {
                line = output.readLine();
            }
            LockSupport.parkNanos(delay.toNanos());
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    /** Kills the process when its report tells of so many deletions more than before, unless it has ended by then. */
    private void runAndKillAmidDeletions(List<String> command, int deletions) throws Exception {
        Path report = folder.resolve("killed").resolve("report.jsonl");
        long enough = deletions(report) + deletions;
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            while (process.isAlive() && deletions(report) < enough) {
                LockSupport.parkNanos(1_000_000);
            }
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    private static long deletions(Path report) throws IOException {
        if (!Files.exists(report)) {
            return 0;
        }
        try (Stream<String> lines = Files.lines(report)) {
            return lines.filter(line -> line.contains("\"deleted\"")).count();
        }
    }

    private static int run(List<String> command) throws Exception {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try (BufferedReader output = process.inputReader()) {
            String text = String.join("\n", output.lines().toList());
            int exitCode = process.waitFor();
            if (!DONE.contains(exitCode)) {
                throw new AssertionError("exit code " + exitCode + ":\n" + text);
            }
            return exitCode;
        } finally {
            process.destroyForcibly();
        }
    }

    /** Slow enough that a kill meets it at work, and with no periods to wait for. */
    private static List<String> command(URI api, Path warehouse, Path policies, Path state) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                "org.anabranch.cli.Main",
                "gc",
                "run"));
        command.addAll(List.of("--uri", api.toString(), "--warehouse", warehouse.toString()));
        command.addAll(List.of("--policy-file", policies.toString(), "--state", state.toString()));
        command.addAll(List.of("--grace", "0s", "--allow-short-grace", "--safety-age", "1h", "--clock-margin", "1m"));
        command.addAll(List.of("--batch", "1", "--parallelism", "2"));
        command.addAll(List.of("--requests-per-second", "100", "--storage-requests-per-second", "300"));
        return command;
    }

    private static void addOrphans(Path location, Instant modifiedAt) throws IOException {
        Path data = Files.createDirectories(location.resolve("data"));
        for (int i = 0; i < ORPHANS; i++) {
            Path orphan = Files.writeString(data.resolve("orphan-" + i + ".parquet"), "left behind");
            Files.setLastModifiedTime(orphan, FileTime.from(modifiedAt));
        }
    }

    /** Makes a folder hold the same files as another one, with their times. */
    private static void copy(Path from, Path to) throws IOException {
        for (Path file : LakeAudit.files(from)) {
            Path copy = to.resolve(from.relativize(file));
            Files.createDirectories(copy.getParent());
            Files.copy(file, copy, StandardCopyOption.COPY_ATTRIBUTES, StandardCopyOption.REPLACE_EXISTING);
        }
    }
}
