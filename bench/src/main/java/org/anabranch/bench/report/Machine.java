package org.anabranch.bench.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.stream.Stream;
import org.anabranch.bench.load.Processes;

/** What the figures were measured on. */
public record Machine(
        String startedAt,
        int processors,
        String processor,
        double memoryGigabytes,
        String system,
        String jdk,
        double loadAverageAtStart,
        String database) {

    /** @param database describes the database server; empty without one */
    public static Machine describe(Instant now, String database) {
        return new Machine(
                now.toString(),
                Runtime.getRuntime().availableProcessors(),
                value("/proc/cpuinfo", "model name"),
                Math.round(Double.parseDouble(value("/proc/meminfo", "MemTotal").replaceAll("[^0-9]", "")) / 1e5)
                        / 10.0,
                System.getProperty("os.name") + " " + System.getProperty("os.version"),
                System.getProperty("java.vendor") + " " + Runtime.version(),
                Processes.loadAverage(),
                database);
    }

    private static String value(String file, String name) {
        try (Stream<String> lines = Files.lines(Path.of(file))) {
            return lines.filter(line -> line.startsWith(name))
                    .map(line -> line.substring(line.indexOf(':') + 1).trim())
                    .findFirst()
                    .orElse("0");
        } catch (IOException notLinux) {
            return "0";
        }
    }
}
