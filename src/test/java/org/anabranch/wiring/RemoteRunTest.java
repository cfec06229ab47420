package org.anabranch.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a command makes of the answers of a service whose runs others start and end too. */
class RemoteRunTest {

    private final Deque<String> answers = new ArrayDeque<>();
    private final ByteArrayOutputStream said = new ByteArrayOutputStream();
    private final HttpServer service = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);

    RemoteRunTest() throws IOException {
        service.createContext("/", exchange -> {
            byte[] answer = answers.remove().getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        service.start();
    }

    @AfterEach
    void end() {
        service.stop(0);
    }

    private int check(String... statuses) {
        answers.addAll(List.of(statuses));
        PrintStream stream = new PrintStream(said, true, StandardCharsets.UTF_8);
        String url = "http://127.0.0.1:" + service.getAddress().getPort();
        return CheckCommand.run(new String[] {"--service", url}, stream, stream);
    }

    private static String running(String startedAt) {
        return "{\"state\":\"RUNNING\",\"mode\":\"FULL\",\"startedAt\":\"" + startedAt
                + "\",\"elapsedMillis\":0,\"done\":0,\"total\":0}";
    }

    @Test
    void theRunOfSomebodyElseIsNotTakenForTheOneThatWasStarted() {
        int status = check(running("2026-01-01T00:00:00Z"), running("2026-01-01T00:00:01Z"));

        assertThat(said.toString(StandardCharsets.UTF_8)).contains("another one was started");
        assertThat(status).isEqualTo(CheckCommand.NOT_CHECKED);
    }

    @Test
    void aServiceThatWasStartedAnewHasLostTheRun() {
        int status = check(
                running("2026-01-01T00:00:00Z"), "{\"state\":\"NONE\",\"elapsedMillis\":0,\"done\":0,\"total\":0}");

        assertThat(said.toString(StandardCharsets.UTF_8)).contains("the run is gone");
        assertThat(status).isEqualTo(CheckCommand.NOT_CHECKED);
    }
}
