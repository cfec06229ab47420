package org.anabranch.cli.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.anabranch.cli.fuzz.Exchange.Answer;
import org.anabranch.cli.fuzz.RequestGenerator.Request;
import org.anabranch.cli.service.ServiceProcess;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random requests, right ones and hostile ones, against the OpenAPI document that the service serves: every answer comes in time,
 * is none of the server's failures, and is as the document says.
 *
 * <p>Set how many with {@code -Danabranch.fuzz.requests=N}, and which with {@code -Danabranch.fuzz.seed=N}.
 */
class FuzzIT {

    private static final int SHOWN = 2_000;

    @TempDir
    private Path folder;

    static Stream<Arguments> runs() {
        int requests = Integer.getInteger("anabranch.fuzz.requests", 5_000);
        return LongStream.of(Long.getLong("anabranch.fuzz.seed", 1)).mapToObj(seed -> Arguments.of(requests, seed));
    }

    @ParameterizedTest(name = "{0} requests, seed {1}")
    @MethodSource("runs")
    void everyAnswerIsAsTheDocumentSays(int requests, long seed) throws Exception {
        try (ServiceProcess service = ServiceProcess.start(folder);
                Exchange exchange = new Exchange(service.api())) {
            ApiDocument document = new ApiDocument(fetch(service.api().resolve("/q/openapi?format=json")));
            RequestGenerator generator = new RequestGenerator(document, new Random(seed));
            SortedMap<Integer, Integer> statuses = new TreeMap<>();
            for (int i = 0; i < requests; i++) {
                Request request = generator.next();
                Answer answer = exchange.send(request.method(), request.path(), request.headers(), request.body());
                assertThat(problem(document, request, answer))
                        .as("request %d: %s%nanswered %d %s", i, shown(request), answer.status(), shown(answer.body()))
                        .isEmpty();
                statuses.merge(answer.status(), 1, Integer::sum);
                generator.learn(answer.body());
            }
            System.out.println("Answers by status: " + statuses);
            assertThat(statuses.getOrDefault(200, 0))
                    .as("requests that are right, else nothing but refusals is tested")
                    .isGreaterThan(requests / 5);
        }
    }

    private static Optional<String> problem(ApiDocument document, Request request, Answer answer) {
        if (answer.status() >= 500) {
            return Optional.of("the server failed");
        }
        if (request.operation() != null) {
            return document.problem(request.operation(), answer.status(), answer.body());
        }
        // The HTTP layer has no bodies for what it refuses itself, and a hostile path may name something that is there.
        return answer.status() < 400 || answer.body().isEmpty()
                ? Optional.empty()
                : document.errorProblem(answer.body());
    }

    private static String shown(Request request) {
        return request.method() + " " + shown(request.path()) + " " + request.headers()
                + (request.body() == null ? "" : " " + shown(new String(request.body(), StandardCharsets.UTF_8)));
    }

    private static String shown(String text) {
        return text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "...";
    }

    private static String fetch(URI uri) throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString())
                    .body();
        }
    }
}
