package org.anabranch.bench.load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/** Processor time and memory of processes, read from Linux' {@code /proc}. */
public final class Processes {

    /** Ticks of {@code /proc} per second; Linux tells 100 to user space on all common machines. */
    private static final long NANOS_PER_TICK = 10_000_000L;

    private Processes() {}

    /** Processor time of one process since it began, user and system. */
    public static long cpuNanos(long pid) {
        return ProcessHandle.of(pid)
                .flatMap(process -> process.info().totalCpuDuration())
                .map(duration -> duration.toNanos())
                .orElse(0L);
    }

    /** Processor time of a process, of all below it, and of those below it that have ended. */
    public static long treeCpuNanos(long pid) {
        return ticks(pid, true) * NANOS_PER_TICK
                + ProcessHandle.of(pid)
                                .map(ProcessHandle::descendants)
                                .orElseGet(Stream::empty)
                                .mapToLong(process -> ticks(process.pid(), false))
                                .sum()
                        * NANOS_PER_TICK;
    }

    /** Memory of one process that is in use and in RAM, in bytes. */
    public static long residentBytes(long pid) {
        try (Stream<String> lines = Files.lines(Path.of("/proc/" + pid + "/status"))) {
            return lines.filter(line -> line.startsWith("VmRSS:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024)
                    .findFirst()
                    .orElse(0L);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Time that the machine's processors were busy since it began, whoever used them. */
    public static long machineBusyNanos() {
        try (Stream<String> lines = Files.lines(Path.of("/proc/stat"))) {
            String[] fields = lines.findFirst().orElseThrow().trim().split("\\s+");
            long ticks = 0;
            for (int field = 1; field < fields.length && field <= 8; field++) {
                boolean idle = field == 4 || field == 5;
                ticks += idle ? 0 : Long.parseLong(fields[field]);
            }
            return ticks * NANOS_PER_TICK;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Of the last minute, as Linux tells it. */
    public static double loadAverage() {
        try {
            return Double.parseDouble(Files.readString(Path.of("/proc/loadavg")).split(" ")[0]);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long ticks(long pid, boolean withEndedChildren) {
        Optional<String> stat = read(Path.of("/proc/" + pid + "/stat"));
        if (stat.isEmpty()) {
            return 0;
        }
        // The command's name stands in parentheses and may hold anything.
        String[] fields = stat.get().substring(stat.get().lastIndexOf(')') + 2).split(" ");
        long own = Long.parseLong(fields[11]) + Long.parseLong(fields[12]);
        return withEndedChildren ? own + Long.parseLong(fields[13]) + Long.parseLong(fields[14]) : own;
    }

    private static Optional<String> read(Path path) {
        try {
            return Optional.of(Files.readString(path));
        } catch (IOException processHasEnded) {
            return Optional.empty();
        }
    }
}
