package org.anabranch.cli.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import org.anabranch.history.Answer;
import org.anabranch.history.Answer.Done;
import org.anabranch.history.Answer.NotTried;
import org.anabranch.history.Answer.Reason;
import org.anabranch.history.Answer.Refused;
import org.anabranch.history.Answer.Unknown;
import org.anabranch.history.HistoryRecorder;
import org.anabranch.history.Request;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests to one service or the other with nothing but HTTP, and records each with what its answer promises. Safe from
 * many threads.
 */
final class RecordingClient implements AutoCloseable {

    static final ObjectMapper JSON = new ObjectMapper();

    private static final Duration ANSWERED_WITHIN = Duration.ofSeconds(20);
    private static final long PAUSE_NANOS = Duration.ofMillis(20).toNanos();

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(2))
            .build();
    private final HistoryRecorder history = new HistoryRecorder();
    private final Queue<String> unexpected = new ConcurrentLinkedQueue<>();

    /** A put of one key. */
    record Put(String key, @Nullable String contentId) {}

    HistoryRecorder history() {
        return history;
    }

    /** Answers that no client should ever get, in words. */
    List<String> unexpected() {
        return List.copyOf(unexpected);
    }

    /** Commits a table whose state is told by the token. */
    Answer commit(URI api, String branch, String expected, String token, Put put) {
        return history.call(
                new Request.Append(branch, token, expected, Set.of(put.key())),
                () -> send(api, "POST", commitPath(branch, expected), commitBody(token, put), null));
    }

    /**
     * Commits with an idempotency key and sends it again, to the next service, until there is an answer that says how it ended.
     *
     * @param apis one after the other, and from the start again
     * @param patience for how long; then the outcome is unknown
     */
    Answer commitUntilAnswered(
            List<URI> apis, String branch, String expected, String token, Put put, Duration patience) {
        long deadline = System.nanoTime() + patience.toNanos();
        return history.call(new Request.Append(branch, token, expected, Set.of(put.key())), () -> {
            boolean mayBeApplied = false;
            for (int n = 0; System.nanoTime() < deadline; n++) {
                Answer answer = send(
                        apis.get(n % apis.size()), "POST", commitPath(branch, expected), commitBody(token, put), token);
                switch (answer) {
                    case Done done -> {
                        return done;
                    }
                    case Refused refused -> {
                        return refused;
                    }
                    case Unknown unknown -> mayBeApplied = true;
                    case NotTried notTried -> {}
                }
                LockSupport.parkNanos(PAUSE_NANOS);
            }
            return mayBeApplied ? new Unknown() : new NotTried();
        });
    }

    Answer merge(URI api, String source, String sourceHead, String target, String expected, String token) {
        ObjectNode body = JSON.createObjectNode()
                .put("fromRefName", source)
                .put("fromHash", sourceHead)
                .put("message", token);
        return history.call(
                new Request.Append(target, token, expected, Set.of()),
                () -> send(api, "POST", "/trees/" + target + "@" + expected + "/history/merge", body, null));
    }

    Answer create(URI api, String type, String name, String source, String head) {
        return history.call(
                new Request.Create(name, head),
                () -> send(api, "POST", "/trees?name=" + name + "&type=" + type, reference(source, head), null));
    }

    Answer assign(URI api, String name, String expected, String source, String target) {
        return history.call(
                new Request.Assign(name, expected, target),
                () -> send(api, "PUT", "/trees/" + name + "@" + expected, reference(source, target), null));
    }

    Answer delete(URI api, String name, String expected) {
        return history.call(
                new Request.Delete(name, expected),
                () -> send(api, "DELETE", "/trees/" + name + "@" + expected, null, null));
    }

    /** Where a reference is. */
    Answer read(URI api, String name) {
        return history.call(new Request.Read(name), () -> send(api, "GET", "/trees/" + name, null, null));
    }

    /** The JSON of an answer that must be 200. */
    JsonNode get(URI api, String path) {
        try {
            HttpResponse<String> response = http.send(request(api, path).build(), BodyHandlers.ofString());
            if (response.statusCode() != 200) {
                throw new AssertionError("GET " + path + " answered " + response.statusCode() + ": " + response.body());
            }
            return JSON.readTree(response.body());
        } catch (IOException e) {
            throw new AssertionError("GET " + path, e);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private static String commitPath(String branch, String expected) {
        return "/trees/" + branch + "@" + expected + "/history/commit";
    }

    private static ObjectNode commitBody(String token, Put put) {
        ObjectNode body = JSON.createObjectNode();
        body.putObject("commitMeta").put("message", token);
        ObjectNode operation = body.putArray("operations").addObject().put("type", "PUT");
        operation.putObject("key").putArray("elements").add(put.key());
        ObjectNode content = operation
                .putObject("content")
                .put("type", "ICEBERG_TABLE")
                .put("metadataLocation", "s3://lake/" + token + ".json")
                .put("snapshotId", 1)
                .put("schemaId", 0)
                .put("specId", 0)
                .put("sortOrderId", 0);
        if (put.contentId() != null) {
            content.put("id", put.contentId());
        }
        return body;
    }

    private static ObjectNode reference(String name, String hash) {
        return JSON.createObjectNode().put("type", "BRANCH").put("name", name).put("hash", hash);
    }

    private static HttpRequest.Builder request(URI api, String path) {
        return HttpRequest.newBuilder(URI.create(api + path))
                .timeout(ANSWERED_WITHIN)
                .header("Accept", "application/json");
    }

    private Answer send(
            URI api, String method, String path, @Nullable ObjectNode body, @Nullable String idempotencyKey) {
        HttpRequest.Builder request = request(api, path)
                .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body.toString()));
        if (body != null) {
            request.header("Content-Type", "application/json");
        }
        if (idempotencyKey != null) {
            request.header("Idempotency-Key", idempotencyKey);
        }
        try {
            HttpResponse<String> response = http.send(request.build(), BodyHandlers.ofString());
            return answer(method + " " + path, response.statusCode(), JSON.readTree(response.body()));
        } catch (ConnectException | HttpConnectTimeoutException e) {
            return new NotTried();
        } catch (IOException e) {
            return new Unknown();
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private Answer answer(String request, int status, JsonNode body) {
        return switch (status) {
            case 200 -> done(body);
            case 404 -> new Refused(Reason.MISSING);
            case 409 -> new Refused(conflict(request, body));
            case 429 -> new NotTried();
            case 503 -> unavailable(body.path("message").asText());
            default -> {
                unexpected.add(request + " answered " + status + ": " + body);
                yield new Unknown();
            }
        };
    }

    /** A commit tells its head as that of its branch, a merge as its result; all others tell where the reference is or was. */
    private static Answer done(JsonNode body) {
        if (body.has("wasApplied")) {
            return body.path("wasApplied").asBoolean()
                    ? new Done(body.path("resultantTargetHash").textValue())
                    : new NotTried();
        }
        JsonNode reference = body.has("targetBranch") ? body.path("targetBranch") : body.path("reference");
        return new Done(reference.path("hash").textValue());
    }

    private static Reason conflict(String request, JsonNode body) {
        String message = body.path("message").asText();
        if (body.path("errorCode").asText().equals("REFERENCE_ALREADY_EXISTS")) {
            return Reason.EXISTS;
        }
        if (message.contains("kept moving")) {
            return Reason.KEPT_MOVING;
        }
        return request.startsWith("POST") ? Reason.CONFLICT : Reason.ELSEWHERE;
    }

    /** What a 503 promises stands in its message, for there is one code for all of them. */
    private static Answer unavailable(String message) {
        boolean isWithoutEffect = message.contains("changed nothing")
                || message.contains("was not begun")
                || message.contains("accepts no more changes");
        return isWithoutEffect ? new NotTried() : new Unknown();
    }

    private static AssertionError interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new AssertionError("interrupted", e);
    }

    @Override
    public void close() {
        http.close();
    }
}
