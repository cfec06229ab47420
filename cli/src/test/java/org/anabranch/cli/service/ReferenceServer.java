package org.anabranch.cli.service;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.anabranch.ports.FreePort;

/** A Nessie server of its own release, in memory, in a process of its own on free loopback ports. For one thread. */
public final class ReferenceServer implements AutoCloseable {

    private static final Duration READY_WITHIN = Duration.ofMinutes(3);
    private static final long POLL_MILLIS = 100;

    private final Process process;
    private final int port;
    private final Path log;
    private final Thread killAtExit;

    private ReferenceServer(Process process, int port, Path log) {
        this.process = process;
        this.port = port;
        this.log = log;
        this.killAtExit = new Thread(process::destroyForcibly, "kill-reference-server");
        Runtime.getRuntime().addShutdownHook(killAtExit);
    }

    /**
     * Starts a server and returns when it answers. Skips the test if there is none: {@code .ci/reference-server} fetches it.
     *
     * @param folder for its output
     * @throws IllegalStateException it did not answer in time; the message ends with its output
     */
    public static ReferenceServer start(Path folder) throws IOException, InterruptedException {
        Path jar =
                Path.of(System.getProperty("anabranch.project")).resolve("bench/target/peer/nessie-quarkus-runner.jar");
        assumeTrue(Files.exists(jar), jar + " is missing: .ci/reference-server fetches it");
        int port = FreePort.choose();
        Path log = folder.resolve("reference-server.log");
        Process process = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx512m",
                        "-XX:TieredStopAtLevel=1",
                        "-Dquarkus.http.host=127.0.0.1",
                        "-Dquarkus.http.port=" + port,
                        "-Dquarkus.management.port=0",
                        "-Dquarkus.management.host=127.0.0.1",
                        "-Dnessie.version.store.type=IN_MEMORY",
                        "-jar",
                        jar.toString()))
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        ReferenceServer server = new ReferenceServer(process, port, log);
        try {
            server.awaitAnswer();
            return server;
        } catch (IOException | InterruptedException | RuntimeException e) {
            server.close();
            throw e;
        }
    }

    /** Base of the server's API. */
    public URI api() {
        return URI.create("http://127.0.0.1:" + port + "/api/v2");
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
        Runtime.getRuntime().removeShutdownHook(killAtExit);
    }

    private void awaitAnswer() throws IOException, InterruptedException {
        HttpRequest config = HttpRequest.newBuilder(URI.create(api() + "/config"))
                .timeout(Duration.ofSeconds(5))
                .build();
        long deadline = System.nanoTime() + READY_WITHIN.toNanos();
        try (HttpClient http = HttpClient.newHttpClient()) {
            while (!answersOk(http, config)) {
                if (process.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS) || System.nanoTime() > deadline) {
                    throw new IllegalStateException("the reference server did not answer:\n" + Files.readString(log));
                }
            }
        }
    }

    private static boolean answersOk(HttpClient http, HttpRequest request) throws InterruptedException {
        try {
            return http.send(request, BodyHandlers.discarding()).statusCode() == 200;
        } catch (IOException e) {
            return false;
        }
    }
}
