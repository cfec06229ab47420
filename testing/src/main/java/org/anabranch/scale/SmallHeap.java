package org.anabranch.scale;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A program in a JVM of its own, whose heap is bounded; and what such a program says of the memory that it took. */
public final class SmallHeap {

    private SmallHeap() {}

    /**
     * Runs a program of this class path to its end, and returns the last line that it printed.
     *
     * @param heap at most, as {@code -Xmx} takes it, such as {@code 128m}
     * @param program has a main method
     * @throws IllegalStateException the program failed; the message is all that it printed
     */
    public static String run(String heap, Class<?> program, String... arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx" + heap,
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                program.getName()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try (BufferedReader output = process.inputReader()) {
            List<String> lines = output.lines().toList();
            if (process.waitFor() != 0 || lines.isEmpty()) {
                throw new IllegalStateException(program.getName() + " ended with status " + process.exitValue() + ":\n"
                        + String.join("\n", lines));
            }
            return lines.getLast();
        } finally {
            process.destroyForcibly();
        }
    }

    /** The most that this JVM's heap held so far: the sum of what each of its parts held at most. */
    public static long peakHeapBytes() {
        return ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getType() == MemoryType.HEAP)
                .map(MemoryPoolMXBean::getPeakUsage)
                .mapToLong(usage -> usage.getUsed())
                .sum();
    }

    /** The most that this process took of the machine's memory so far, as the system says; 0 where it is not Linux. */
    public static long peakProcessBytes() {
        Path status = Path.of("/proc/self/status");
        if (!Files.exists(status)) {
            return 0;
        }
        try (Stream<String> lines = Files.lines(status)) {
            return lines.filter(line -> line.startsWith("VmHWM:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10)
                    .sum();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
