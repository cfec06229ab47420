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
import java.util.Locale;
import org.anabranch.rest.CheckRoutes;
import org.anabranch.service.CheckRepository.State;
import org.anabranch.service.CheckRepository.Status;
import org.anabranch.versioning.check.CheckLevel;
import org.anabranch.versioning.check.CheckProgress;
import org.anabranch.versioning.check.CheckReport;

/** Has a running service check its store, by its management port. */
final class ServiceCheck {

    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(20);
    private static final long POLL_MILLIS = 500;

    private final URI uri;
    private final ObjectMapper json;
    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(ANSWER_WITHIN).build();

    ServiceCheck(URI service, ObjectMapper json) {
        if (service.getHost() == null
                || service.getScheme() == null
                || !service.getScheme().startsWith("http")) {
            throw new CheckFailedException(
                    "'" + service + "' is no address of a management port; it has the form http://127.0.0.1:9000",
                    null);
        }
        this.uri = service.resolve(CheckRoutes.PATH);
        this.json = json;
    }

    CheckReport run(CheckLevel level, CheckProgress progress) {
        Status status = send(
                HttpRequest.newBuilder(URI.create(uri + "?level=" + level.name().toLowerCase(Locale.ROOT)))
                        .POST(BodyPublishers.noBody()));
        while (status.report() == null) {
            if (status.failure() != null) {
                throw new CheckFailedException("the service could not check its store: " + status.failure(), null);
            }
            if (status.state() == State.NONE) {
                throw new CheckFailedException(
                        "the service was started anew, and its check is gone: check again", null);
            }
            if (status.stage() != null) {
                progress.at(status.stage(), status.done(), status.total());
            }
            try {
                Thread.sleep(POLL_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new CheckFailedException("interrupted; the service goes on with its check", e);
            }
            status = send(HttpRequest.newBuilder(uri).GET());
        }
        return status.report();
    }

    private Status send(HttpRequest.Builder request) {
        try {
            HttpResponse<String> response =
                    http.send(request.timeout(ANSWER_WITHIN).build(), BodyHandlers.ofString());
            if (response.statusCode() / 100 != 2) {
                throw new CheckFailedException(
                        uri + " answers " + response.statusCode() + ": " + response.body(), null);
            }
            return json.readValue(response.body(), Status.class);
        } catch (IOException e) {
            throw new CheckFailedException(
                    "no service answers as it should on " + uri + " (" + e + "): is it running, and is this its"
                            + " management port?",
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CheckFailedException("interrupted", e);
        }
    }
}
