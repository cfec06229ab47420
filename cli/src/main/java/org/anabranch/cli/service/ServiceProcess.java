package org.anabranch.cli.service;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The built service in a process of its own, on free loopback ports.
 *
 * <p>Its output goes to {@code service.log} in that folder. The process ends with {@link #close}, and also when
 * this JVM does. For one thread.
 */
public final class ServiceProcess implements AutoCloseable {

    /**
     * Names the property with options of Java for every service of {@link #jar}, a line each, besides those that {@link #start} is
     * given.
     */
    static final String OPTIONS = "anabranch.service.options";

    /** What the service says last when it starts, when all of its ports are open. */
    private static final String STARTED = "The catalog answers on ";

    private static final Duration READY_WITHIN = Duration.ofMinutes(3);
    private static final Duration STOPPED_WITHIN = Duration.ofMinutes(1);
    private static final Duration CHECKED_WITHIN = Duration.ofMinutes(10);
    private static final Duration HEALTH_WITHIN = Duration.ofSeconds(20);

    /** Below the ports that systems give to outgoing connections, one of which might take a port while its service is down. */
    private static final int FIRST_PORT = 20_000;

    private static final int END_OF_PORTS = 32_000;

    private static final long POLL_MILLIS = 50;
    private static final int LOG_LINES_IN_ERRORS = 30;

    private final Path jar;
    private final Path folder;
    private final int port;
    private final int managementPort;
    private final List<String> javaOptions;
    private final List<String> storeOptions;
    private final Thread killAtExit = new Thread(this::kill, "kill-service");
    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(2)).build();
    private volatile Process process;
    private int logAtLaunch;

    private ServiceProcess(
            Path jar, Path folder, int port, int managementPort, List<String> storeOptions, List<String> javaOptions) {
        this.jar = jar;
        this.storeOptions = List.copyOf(storeOptions);
        this.javaOptions = List.copyOf(javaOptions);
        this.folder = folder;
        this.port = port;
        this.managementPort = managementPort;
        this.process = launch();
    }

    /**
     * Starts the service that {@code -Danabranch.service} names and returns when it is ready for requests.
     *
     * @param folder existing folder for the store and the log; what an earlier process left there is taken up
     * @param javaOptions of the JVM, such as {@code -Xmx256m} and properties of the service
     * @throws IllegalStateException the service did not get ready; the message ends with its last output
     */
    public static ServiceProcess start(Path folder, String... javaOptions) {
        return startOn(
                List.of("--store", "embedded", "--data", folder.resolve("data").toString()), folder, javaOptions);
    }

    /**
     * As {@link #start}, on another store.
     *
     * @param storeOptions options of {@code serve} that say where commits are kept
     * @param folder existing folder for the log
     */
    public static ServiceProcess startOn(List<String> storeOptions, Path folder, String... javaOptions) {
        return startOf(jar(), storeOptions, folder, javaOptions);
    }

    /** As {@link #startOn}, of another build of the service. */
    public static ServiceProcess startOf(Path jar, List<String> storeOptions, Path folder, String... javaOptions) {
        int[] ports = freePorts();
        ServiceProcess service =
                new ServiceProcess(jar, folder, ports[0], ports[1], storeOptions, List.of(javaOptions));
        Runtime.getRuntime().addShutdownHook(service.killAtExit);
        try {
            service.awaitReady();
        } catch (RuntimeException e) {
            service.close();
            throw e;
        }
        return service;
    }

    /**
     * The jar that {@code -Danabranch.service} names.
     *
     * @throws IllegalStateException it names none
     */
    public static Path jar() {
        String jar = System.getProperty("anabranch.service");
        if (jar == null) {
            throw new IllegalStateException("-Danabranch.service does not name the jar of the service");
        }
        return Path.of(jar);
    }

    /** Base of the service's API; the same after {@link #restart}. */
    public URI api() {
        boolean isEncrypted =
                javaOptions.stream().anyMatch(option -> option.startsWith("-Danabranch.tls.certificate="));
        return URI.create((isEncrypted ? "https" : "http") + "://127.0.0.1:" + port + "/api/v2");
    }

    /** Where the service answers those who run it; the same after {@link #restart}. */
    public URI management() {
        return URI.create("http://127.0.0.1:" + managementPort);
    }

    /** Id of the process that runs now or ran last. */
    public long pid() {
        return process.pid();
    }

    /** Ends the process as {@code kill -9} does and returns when it is gone. Harmless when it is gone already. */
    public void kill() {
        process.destroyForcibly();
        if (!exits(STOPPED_WITHIN)) {
            throw new IllegalStateException("process " + process.pid() + " survived kill -9");
        }
    }

    /** Asks the process to end, as the signal TERM does, and returns at once. */
    public void askToEnd() {
        process.destroy();
    }

    /**
     * Returns the status that the process ends with, when it has.
     *
     * @throws IllegalStateException it still runs after a minute
     */
    public int awaitEnd() {
        return awaitEnd(STOPPED_WITHIN);
    }

    /**
     * As {@link #awaitEnd()}, for a process that has more to do at its end.
     *
     * @throws IllegalStateException it still runs after that time
     */
    public int awaitEnd(Duration within) {
        if (!exits(within)) {
            throw new IllegalStateException(
                    "process " + process.pid() + " still runs after " + within.toSeconds() + " s:\n" + lastOutput());
        }
        return process.exitValue();
    }

    /** What the process says of its health, whether it is well or not; the reason if it says nothing. */
    public String health() {
        try {
            return http.send(ready(), BodyHandlers.ofString()).body();
        } catch (IOException e) {
            return e.toString();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while asking the service for its health", e);
        }
    }

    /** All lines that the service has written, from its first start on; not what it has written of one that is not whole yet. */
    public List<String> output() {
        String text = new String(logged(), StandardCharsets.UTF_8);
        return text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
    }

    /** Whether the process says that it is ready for requests. */
    public boolean isReady() {
        return answersOk(ready());
    }

    /** Starts the service again on the same ports and folder and returns when it is ready; it must have ended. */
    public void restart() {
        if (process.isAlive()) {
            throw new IllegalStateException("process " + process.pid() + " still runs");
        }
        process = launch();
        awaitReady();
    }

    /** Asks the process to end, and ends it as {@link #kill} does if it takes longer than a minute. */
    @Override
    public void close() {
        process.destroy();
        if (!exits(STOPPED_WITHIN)) {
            kill();
        }
        try {
            Runtime.getRuntime().removeShutdownHook(killAtExit);
        } catch (IllegalStateException shutdownHasBegun) {
            // Then the hook runs by itself.
        }
    }

    /**
     * Has the running service check its store, and returns what the command says.
     *
     * @throws IllegalStateException something is wrong with the store, or it could not be checked within ten minutes; the message
     *     says what
     */
    public String check() {
        List<String> command = new ArrayList<>(java());
        command.addAll(List.of(
                "-jar", jar.toString(), "check", "--service", management().toString()));
        Path output = folder.resolve("check.log");
        try {
            Process check = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            try {
                if (!check.waitFor(CHECKED_WITHIN.toSeconds(), TimeUnit.SECONDS)) {
                    throw new IllegalStateException("the check has not ended after " + CHECKED_WITHIN.toMinutes()
                            + " minutes:\n" + Files.readString(output));
                }
            } finally {
                check.destroyForcibly();
            }
            if (check.exitValue() != 0) {
                throw new IllegalStateException(
                        "the check ended with status " + check.exitValue() + ":\n" + Files.readString(output));
            }
            return Files.readString(output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the service checks its store", e);
        }
    }

    /** This process's Java, with the options for every service, unless this is another build of it. */
    private List<String> java() {
        Stream<String> program = Stream.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString());
        String options = jar.equals(jar()) ? System.getProperty(OPTIONS, "") : "";
        return Stream.concat(program, options.lines()).toList();
    }

    private Process launch() {
        logAtLaunch = logged().length;
        List<String> command = new ArrayList<>(java());
        command.addAll(javaOptions);
        command.addAll(List.of(
                "-Dquarkus.management.port=" + managementPort,
                "-jar",
                jar.toString(),
                "--host",
                "127.0.0.1",
                "--port",
                Integer.toString(port)));
        command.addAll(storeOptions);
        try {
            return new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()))
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private HttpRequest ready() {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + managementPort + "/q/health/ready"))
                .timeout(HEALTH_WITHIN)
                .build();
    }

    private void awaitReady() {
        long deadline = System.nanoTime() + READY_WITHIN.toNanos();
        while (!isReady() || !hasStarted()) {
            if (exits(Duration.ofMillis(POLL_MILLIS))) {
                throw new IllegalStateException("the service ended with status " + process.exitValue()
                        + " before it was ready:\n" + lastOutput());
            }
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException(
                        "the service was not ready after " + READY_WITHIN.toSeconds() + " s:\n" + lastOutput());
            }
        }
    }

    /** Health may answer before. */
    private boolean hasStarted() {
        byte[] all = logged();
        return new String(all, logAtLaunch, all.length - logAtLaunch, StandardCharsets.UTF_8).contains(STARTED);
    }

    private boolean answersOk(HttpRequest request) {
        try {
            return http.send(request, BodyHandlers.discarding()).statusCode() == 200;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for the service", e);
        }
    }

    private boolean exits(Duration within) {
        try {
            return process.waitFor(within.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for the end of the service", e);
        }
    }

    private Path log() {
        return folder.resolve("service.log");
    }

    /** What the log holds; nothing before the first start. */
    private byte[] logged() {
        try {
            return Files.exists(log()) ? Files.readAllBytes(log()) : new byte[0];
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String lastOutput() {
        List<String> lines =
                new String(logged(), StandardCharsets.UTF_8).lines().toList();
        return String.join("\n", lines.subList(Math.max(0, lines.size() - LOG_LINES_IN_ERRORS), lines.size()));
    }

    /** Both at once, so that they differ. Nothing holds them until the service does. */
    private static int[] freePorts() {
        try (ServerSocket first = listen();
                ServerSocket second = listen()) {
            return new int[] {first.getLocalPort(), second.getLocalPort()};
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static ServerSocket listen() throws IOException {
        while (true) {
            int port = ThreadLocalRandom.current().nextInt(FIRST_PORT, END_OF_PORTS);
            try {
                return new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
            } catch (BindException e) {
                // It is somebody's.
            }
        }
    }
}
