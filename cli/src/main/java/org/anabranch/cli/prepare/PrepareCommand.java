package org.anabranch.cli.prepare;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.anabranch.cli.service.ServiceProcess;
import org.anabranch.cli.service.TemporaryFolder;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Runs the service once in a temporary folder while Java records which classes it loads and how, and keeps that in a file. A Java
 * from 25 on makes an AOT cache (JEP 514 and 515), an older one an archive of classes. The file is good for the very build of Java
 * and of the service that it was made with; any other ignores it.
 */
@Command(
        name = "prepare",
        description = "Makes the start-up cache for this Java: from then on, serve starts in a fraction of the time.",
        mixinStandardHelpOptions = true)
public final class PrepareCommand implements Callable<Integer> {

    private static final int FIRST_WITH_AOT_CACHE = 25;
    /** Java writes what it recorded when the service ends. */
    private static final Duration LONGEST_RECORDING = Duration.ofMinutes(5);

    private static final Duration LONGEST_REQUEST = Duration.ofSeconds(60);

    @Spec
    private CommandSpec spec;

    @Option(names = "--cache", required = true, paramLabel = "FILE", description = "where to; replaced if it is there")
    private Path cache;

    /** Returns 0 when the cache is there. */
    @Override
    public Integer call() throws Exception {
        long startedAt = System.nanoTime();
        Path target = cache.toAbsolutePath();
        Files.createDirectories(target.getParent());
        Path unfinished = target.resolveSibling(target.getFileName() + ".unfinished");
        spec.commandLine().getOut().println("Recording a first start with Java " + Runtime.version() + " ...");
        spec.commandLine().getOut().flush();
        try (TemporaryFolder folder = TemporaryFolder.create("anabranch-prepare-")) {
            if (Runtime.version().feature() >= FIRST_WITH_AOT_CACHE) {
                Path recorded = folder.path().resolve("recorded.aotconf");
                record(folder.path(), "-XX:AOTMode=record", "-XX:AOTConfiguration=" + recorded);
                assemble(recorded, unfinished);
            } else {
                record(folder.path(), "-XX:ArchiveClassesAtExit=" + unfinished);
            }
            Files.move(unfinished, target, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(unfinished);
        }
        spec.commandLine()
                .getOut()
                .printf(
                        Locale.ROOT,
                        "%s, %d MB, is ready after %d s.%n",
                        target,
                        Files.size(target) >> 20,
                        Duration.ofNanos(System.nanoTime() - startedAt).toSeconds());
        return 0;
    }

    private static void record(Path folder, String... recorder) throws IOException, InterruptedException {
        try (ServiceProcess service = ServiceProcess.start(folder, recorder)) {
            sendFirstRequests(service.api());
            service.askToEnd();
            service.awaitEnd(LONGEST_RECORDING);
        }
    }

    private static void assemble(Path recorded, Path unfinished) throws IOException, InterruptedException {
        Process assembly = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:AOTMode=create",
                        "-XX:AOTConfiguration=" + recorded,
                        "-XX:AOTCache=" + unfinished,
                        "-jar",
                        ServiceProcess.jar().toString()))
                .redirectErrorStream(true)
                .start();
        String said = new String(assembly.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (assembly.waitFor() != 0 || !Files.exists(unfinished)) {
            throw new IllegalStateException(
                    "Java made no cache and ended with status " + assembly.exitValue() + ":\n" + said);
        }
    }

    /** What a client sends first, so that its classes are in the cache too: a commit, and reads of what it changed. */
    private static void sendFirstRequests(URI api) throws IOException, InterruptedException {
        ObjectMapper json = new ObjectMapper();
        try (HttpClient http =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
            request(http, api, "/config", null);
            JsonNode main =
                    json.readTree(request(http, api, "/trees/main", null)).path("reference");
            request(http, api, "/trees/main@" + main.path("hash").asText() + "/history/commit", """
                    {"commitMeta": {"message": "first"}, "operations": [{"type": "PUT", "key": {"elements": ["first"]},
                     "content": {"type": "ICEBERG_TABLE", "metadataLocation": "first.json",
                     "snapshotId": 1, "schemaId": 0, "specId": 0, "sortOrderId": 0}}]}""");
            for (String path : List.of("/trees", "/trees/main/entries", "/trees/main/history")) {
                request(http, api, path, null);
            }
            request(http, api, "/trees/main/contents/first", null);
        }
    }

    /** @param body of a POST; null for a GET */
    private static String request(HttpClient http, URI api, String path, @Nullable String body)
            throws IOException, InterruptedException {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(api + path)).timeout(LONGEST_REQUEST);
        if (body != null) {
            request.header("Content-Type", "application/json").POST(BodyPublishers.ofString(body));
        }
        HttpResponse<String> response = http.send(request.build(), BodyHandlers.ofString());
        if (response.statusCode() != 200) {
            throw new IllegalStateException(
                    "the service answered " + response.statusCode() + " to " + path + ": " + response.body());
        }
        return response.body();
    }
}
