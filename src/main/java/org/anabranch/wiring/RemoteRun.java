package org.anabranch.wiring;

import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import org.anabranch.rest.RunRoutes;
import org.anabranch.service.BackgroundRun.State;
import org.anabranch.service.BackgroundRun.Status;

/** A run of a task by a running service, over its management port. */
final class RemoteRun<M extends Enum<M>, S extends Enum<S>, R> {

    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(20);
    private static final Duration BETWEEN_QUESTIONS = Duration.ofMillis(500);

    private final ServiceOptions service;
    private final String path;
    private final JavaType statusType;
    private final ObjectMapper json;
    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(ANSWER_WITHIN).build();

    RemoteRun(
            ServiceOptions service, String path, Class<M> modes, Class<S> stages, Class<R> report, ObjectMapper json) {
        this.service = service;
        this.path = path;
        this.statusType = json.getTypeFactory().constructParametricType(Status.class, modes, stages, report);
        this.json = json;
    }

    /**
     * Starts a run and waits for its end.
     *
     * @throws CommandFailedException if there is no report in the end
     */
    R run(M mode, ProgressLines progress) {
        Status<M, S, R> status =
                send(service.request(path + "?mode=" + RunRoutes.text(mode)).POST(BodyPublishers.noBody()));
        Instant startedAt = status.startedAt();
        while (status.report() == null) {
            if (status.failure() != null) {
                throw new CommandFailedException("the service could not do it: " + status.failure(), null);
            }
            if (status.state() == State.NONE) {
                throw new CommandFailedException("the service was started anew, and the run is gone: try again", null);
            }
            if (status.stage() != null) {
                progress.at(status.stage(), status.done(), status.total());
            }
            try {
                Thread.sleep(BETWEEN_QUESTIONS);
            } catch (InterruptedException e) {
                throw interrupted(e);
            }
            status = send(service.request(path).GET());
            if (status.startedAt() != null && !status.startedAt().equals(startedAt)) {
                throw new CommandFailedException(
                        "the run has ended, and before its report was read another one was started: the service's log has its"
                                + " outcome",
                        null);
            }
        }
        return status.report();
    }

    private Status<M, S, R> send(HttpRequest.Builder builder) {
        HttpRequest request = builder.timeout(ANSWER_WITHIN).build();
        try {
            HttpResponse<String> response = http.send(request, BodyHandlers.ofString());
            if (response.statusCode() / 100 != 2) {
                throw refused(request.uri(), response.statusCode(), response.body());
            }
            return json.readValue(response.body(), statusType);
        } catch (IOException e) {
            throw noAnswer(request.uri(), e);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    static CommandFailedException refused(URI uri, int status, String body) {
        return new CommandFailedException(
                status == 401
                        ? uri + " asks who you are: give a token with --token-file"
                        : uri + " answers " + status + ": " + body,
                null);
    }

    static CommandFailedException noAnswer(URI uri, IOException e) {
        return new CommandFailedException(
                "no service answers as it should on " + uri + " (" + e + "): is it running, and is this its"
                        + " management port?",
                e);
    }

    private static CommandFailedException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new CommandFailedException("interrupted; the service goes on", e);
    }
}
