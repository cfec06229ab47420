package org.anabranch.cli.gc;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.anabranch.cli.Main;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** A step that is refused before it begins leaves no state folder behind. */
class RefusedRunsTest {

    private static final String SHOWS_EVERYTHING = "{\"unfiltered\":true}";
    private static final String HIDES_SOMETHING = "{\"unfiltered\":false}";
    private static final String NO_CREDENTIALS = "--storage-property client.region=eu-central-1 --storage-property"
            + " client.credentials-provider=software.amazon.awssdk.auth.credentials.SystemPropertyCredentialsProvider";

    @TempDir
    private Path folder;

    private HttpServer server;
    private final StringWriter err = new StringWriter();

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    /** As much of a catalog as is asked before a run begins. */
    private void catalog(String access) {
        Map.of(
                        "/api/v2/config", "{\"repositoryCreationTimestamp\":\"2026-01-01T00:00:00Z\"}",
                        "/api/v2/config/repository", "{\"configs\":[]}",
                        "/api/ext/v1/access", access)
                .forEach((path, body) -> server.createContext(path, exchange -> {
                    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
                    exchange.sendResponseHeaders(200, bytes.length);
                    exchange.getResponseBody().write(bytes);
                    exchange.close();
                }));
    }

    private Path state() {
        return folder.resolve("state");
    }

    private int gc(String step, String... options) {
        CommandLine commands = Main.commandLine();
        commands.setOut(new PrintWriter(new StringWriter())).setErr(new PrintWriter(err));
        String api = "http://127.0.0.1:" + server.getAddress().getPort() + "/api/v2";
        List<String> all =
                new ArrayList<>(List.of("gc", step, "--uri", api, "--attempts", "1", "--state", state().toString()));
        all.addAll(List.of(options));
        return commands.execute(all.toArray(String[]::new));
    }

    @ParameterizedTest
    @ValueSource(strings = {"run", "sweep"})
    void becauseOfTheStorage(String step) {
        catalog(SHOWS_EVERYTHING);

        assertThat(gc(step, ("--warehouse s3://lake " + NO_CREDENTIALS).split(" ")))
                .isEqualTo(2);
        assertThat(err.toString()).contains("S3 has no credentials");
        assertThat(gc(step, "--warehouse", "gs://lake")).isEqualTo(2);
        assertThat(err.toString()).contains("'gs'");

        assertThat(state()).doesNotExist();
    }

    @ParameterizedTest
    @CsvSource({
        "--parallelism 0, --parallelism",
        "--pin 12, --pin",
        "--storage-requests-per-second -1, --storage-requests-per-second",
        "--storage-property s3.delete-enabled=false, s3.delete-enabled",
        "--token-file /nowhere, --token-file"
    })
    void becauseOfAnOption(String option, String named) {
        catalog(SHOWS_EVERYTHING);

        assertThat(gc("mark", option.split(" "))).isEqualTo(2);

        assertThat(err.toString()).contains(named).hasLineCount(1);
        assertThat(state()).doesNotExist();
    }

    @Test
    void becauseThereIsNoCatalog() {
        server.stop(0);

        assertThat(gc("run", "--warehouse", folder.toString())).isEqualTo(1);

        assertThat(err.toString()).contains("nobody answers at this address");
        assertThat(state()).doesNotExist();
    }

    @Test
    void becauseSomethingIsHidden() {
        catalog(HIDES_SOMETHING);

        assertThat(gc("mark")).isEqualTo(1);
        assertThat(gc("run", "--warehouse", folder.toString())).isEqualTo(1);

        assertThat(err.toString().lines())
                .hasSize(2)
                .allSatisfy(line -> assertThat(line).contains("does not show this caller everything"));
        assertThat(state()).doesNotExist();
    }

    @Test
    void becauseThereIsNoRunToGoOnWith() {
        catalog(SHOWS_EVERYTHING);

        assertThat(gc("expand")).isEqualTo(1);
        assertThat(gc("sweep", "--warehouse", folder.toString())).isEqualTo(1);

        assertThat(err.toString().lines())
                .hasSize(2)
                .allSatisfy(line -> assertThat(line)
                        .contains("There is no state in " + state())
                        .contains("'gc run' or 'gc mark'"));
        assertThat(state()).doesNotExist();
    }
}
