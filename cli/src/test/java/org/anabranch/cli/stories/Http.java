package org.anabranch.cli.stories;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import javax.net.ssl.SSLContext;

/** The API with nothing but the JDK's HTTP client; every call carries a bearer token. */
final class Http implements AutoCloseable {

    static final ObjectMapper JSON = new ObjectMapper();

    private final String base;
    private final HttpClient client;

    Http(URI api) {
        this(api, null);
    }

    /** @param tls whom to believe and what to show; null for what the JDK believes */
    Http(URI api, SSLContext tls) {
        base = api.toString();
        HttpClient.Builder builder = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1);
        if (tls != null) {
            builder.sslContext(tls);
        }
        client = builder.build();
    }

    /** A request to a path below the base, such as {@code /config}. */
    HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(base + path))
                .timeout(Duration.ofSeconds(60))
                .header("Accept", "application/json")
                .header("Authorization", "Bearer not-a-secret");
    }

    HttpResponse<String> send(HttpRequest request) throws IOException, InterruptedException {
        return client.send(request, BodyHandlers.ofString());
    }

    /** The JSON of an answer that must be 200. */
    JsonNode get(String path) throws IOException, InterruptedException {
        return ok(send(request(path).build()));
    }

    /** The JSON of an answer that must be 200. */
    JsonNode post(String path, JsonNode body) throws IOException, InterruptedException {
        return ok(send(request(path)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body.toString()))
                .build()));
    }

    private static JsonNode ok(HttpResponse<String> response) throws JsonProcessingException {
        if (response.statusCode() != 200) {
            throw new AssertionError(response.request().method() + " " + response.uri() + " answered "
                    + response.statusCode() + ": " + response.body());
        }
        return JSON.readTree(response.body());
    }

    @Override
    public void close() {
        client.close();
    }
}
