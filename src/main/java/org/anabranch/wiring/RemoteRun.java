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
import org.anabranch.rest.RunRoutes;
import org.anabranch.service.BackgroundRun.State;
import org.anabranch.service.BackgroundRun.Status;

/** A run of a task by a running service, over its management port. */
final class RemoteRun<M extends Enum<M>, S extends Enum<S>, R> {

    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(20);
    private static final Duration BETWEEN_QUESTIONS = Duration.ofMillis(500);

    private final URI uri;
    private final JavaType statusType;
    private final ObjectMapper json;
    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(ANSWER_WITHIN).build();

    RemoteRun(URI service, String path, Class<M> modes, Class<S> stages, Class<R> report, ObjectMapper json) {
        this.uri = managementUri(service, path);
        this.statusType = json.getTypeFactory().constructParametricType(Status.class, modes, stages, report);
        this.json = json;
    }

    /** @throws CommandFailedException if the service has no address that can be asked */
    static URI managementUri(URI service, String path) {
        if (service.getHost() == null
                || service.getScheme() == null
                || !service.getScheme().startsWith("http")) {
            throw new CommandFailedException(
                    "'" + service + "' is no address of a management port; it has the form http://127.0.0.1:9000",
                    null);
        }
        return service.resolve(path);
    }

    /**
     * Starts a run and waits for its end.
     *
     * @throws CommandFailedException if there is no report in the end
     */
    R run(M mode, ProgressLines progress) {
        Status<M, S, R> status = send(HttpRequest.newBuilder(URI.create(uri + "?mode=" + RunRoutes.text(mode)))
                .POST(BodyPublishers.noBody()));
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
            status = send(HttpRequest.newBuilder(uri).GET());
        }
        return status.report();
    }

    private Status<M, S, R> send(HttpRequest.Builder request) {
        try {
            HttpResponse<String> response =
                    http.send(request.timeout(ANSWER_WITHIN).build(), BodyHandlers.ofString());
            if (response.statusCode() / 100 != 2) {
                throw new CommandFailedException(
                        uri + " answers " + response.statusCode() + ": " + response.body(), null);
            }
            return json.readValue(response.body(), statusType);
        } catch (IOException e) {
            throw noAnswer(uri, e);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
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
