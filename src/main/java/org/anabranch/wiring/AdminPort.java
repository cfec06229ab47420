package org.anabranch.wiring;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/**
 * A task of a running service, by its management port.
 *
 * @param <S> the status that the port tells
 */
final class AdminPort<S> {

    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(20);
    private static final long POLL_MILLIS = 500;

    private final URI uri;
    private final Class<S> statusType;
    private final ObjectMapper json;
    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(ANSWER_WITHIN).build();

    AdminPort(URI service, String path, Class<S> statusType, ObjectMapper json) {
        if (service.getHost() == null
                || service.getScheme() == null
                || !service.getScheme().startsWith("http")) {
            throw new CommandFailedException(
                    "'" + service + "' is no address of a management port; it has the form http://127.0.0.1:9000",
                    null);
        }
        this.uri = service.resolve(path);
        this.statusType = statusType;
        this.json = json;
    }

    /** Starts the task. */
    S start(String query) {
        return send(HttpRequest.newBuilder(URI.create(uri + "?" + query)).POST(BodyPublishers.noBody()));
    }

    /** The status a little later. */
    S poll() {
        try {
            Thread.sleep(POLL_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailedException("interrupted; the service goes on", e);
        }
        return send(HttpRequest.newBuilder(uri).GET());
    }

    private S send(HttpRequest.Builder request) {
        try {
            HttpResponse<String> response =
                    http.send(request.timeout(ANSWER_WITHIN).build(), BodyHandlers.ofString());
            if (response.statusCode() / 100 != 2) {
                throw new CommandFailedException(
                        uri + " answers " + response.statusCode() + ": " + response.body(), null);
            }
            return json.readValue(response.body(), statusType);
        } catch (IOException e) {
            throw new CommandFailedException(
                    "no service answers as it should on " + uri + " (" + e + "): is it running, and is this its"
                            + " management port?",
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailedException("interrupted", e);
        }
    }
}
