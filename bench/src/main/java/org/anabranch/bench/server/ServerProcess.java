package org.anabranch.bench.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.anabranch.bench.http.Connection;
import org.anabranch.bench.load.Processes;
import org.anabranch.bench.store.Storage;

/**
 * One server in a process of its own on free loopback ports, with the JDK that the benchmark runs on.
 *
 * <p>The process ends with {@link #close}, and also when this JVM does. For one thread.
 */
public final class ServerProcess implements AutoCloseable {

    private static final Duration READY_WITHIN = Duration.ofSeconds(120);
    private static final Duration STOPPED_WITHIN = Duration.ofSeconds(30);
    /** Short, because starts are measured. */
    private static final Duration POLL = Duration.ofMillis(2);

    private static final int LOG_LINES_IN_ERRORS = 30;

    private final Path log;
    private final Process process;
    private final int port;
    private final Thread killAtExit;

    private ServerProcess(Path log, Process process, int port) {
        this.log = log;
        this.process = process;
        this.port = port;
        this.killAtExit = new Thread(process::destroyForcibly, "kill-server");
    }

    /**
     * Starts a server and returns when it answers.
     *
     * @param options of the JVM, such as the size of the heap
     * @param log where its output goes; replaced if it is there
     * @throws IllegalStateException it did not get ready; the message ends with its last output
     */
    public static ServerProcess start(Product product, Path jar, Storage storage, List<String> options, Path log) {
        List<String> beforeProperties = new ArrayList<>();
        beforeProperties.add(
                Path.of(System.getProperty("java.home"), "bin", "java").toString());
        beforeProperties.addAll(options);
        beforeProperties.add("--enable-native-access=ALL-UNNAMED");
        return start(product, beforeProperties, storage, List.of("-jar", jar.toString()), log);
    }

    /** As {@link #start}, of Anabranch's distribution as its launcher starts it. */
    public static ServerProcess startInstalled(Path distribution, Storage storage, Path log) {
        return start(
                Product.ANABRANCH,
                List.of(distribution.resolve("anabranch").toString(), "serve"),
                storage,
                List.of(),
                log);
    }

    private static ServerProcess start(
            Product product, List<String> beforeProperties, Storage storage, List<String> behindProperties, Path log) {
        int[] ports = freePorts();
        List<String> command = new ArrayList<>(beforeProperties);
        command.add("-Dquarkus.http.host=127.0.0.1");
        command.add("-Dquarkus.http.port=" + ports[0]);
        command.add("-Dquarkus.management.host=127.0.0.1");
        command.add("-Dquarkus.management.port=" + ports[1]);
        command.addAll(product.properties(storage));
        command.addAll(behindProperties);
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        try {
            Files.createDirectories(log.getParent());
            Process process = builder.start();
            ServerProcess server = new ServerProcess(log, process, ports[0]);
            Runtime.getRuntime().addShutdownHook(server.killAtExit);
            try {
                server.awaitReady(product);
            } catch (RuntimeException e) {
                server.close();
                throw e;
            }
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public int port() {
        return port;
    }

    public long cpuNanos() {
        return Processes.cpuNanos(process.pid());
    }

    public long residentBytes() {
        return Processes.residentBytes(process.pid());
    }

    /** Asks the process to end, and kills it if it takes too long. */
    @Override
    public void close() {
        process.destroy();
        if (!exits(STOPPED_WITHIN)) {
            process.destroyForcibly();
            exits(STOPPED_WITHIN);
        }
        try {
            Runtime.getRuntime().removeShutdownHook(killAtExit);
        } catch (IllegalStateException shutdownHasBegun) {
            // Then the hook runs by itself.
        }
    }

    private void awaitReady(Product product) {
        long deadline = System.nanoTime() + READY_WITHIN.toNanos();
        while (!answers()) {
            if (exits(POLL)) {
                throw new IllegalStateException(product + " ended with status " + process.exitValue()
                        + " before it was ready:\n" + lastOutput());
            }
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException(
                        product + " was not ready after " + READY_WITHIN.toSeconds() + " s:\n" + lastOutput());
            }
        }
    }

    private boolean answers() {
        try (Connection connection = new Connection(port)) {
            return connection.get("/api/v2/config").ok();
        } catch (IOException notYet) {
            return false;
        }
    }

    private boolean exits(Duration within) {
        try {
            return process.waitFor(within.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for a server", e);
        }
    }

    private String lastOutput() {
        try {
            List<String> lines = Files.readAllLines(log);
            return String.join("\n", lines.subList(Math.max(0, lines.size() - LOG_LINES_IN_ERRORS), lines.size()));
        } catch (IOException e) {
            return "(its log cannot be read: " + e + ")";
        }
    }

    /** Both at once, so that they differ. Nothing holds them until the server does. */
    private static int[] freePorts() {
        try (ServerSocket first = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                ServerSocket second = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return new int[] {first.getLocalPort(), second.getLocalPort()};
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
