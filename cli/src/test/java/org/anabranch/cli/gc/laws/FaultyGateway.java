package org.anabranch.cli.gc.laws;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/**
 * Stands between a client and a server, asks before each request what shall become of it, and lets one request through at a
 * time.
 */
final class FaultyGateway implements AutoCloseable {

    /** What becomes of a request. */
    enum Fate {
        /** It is answered by the server. */
        ANSWERED,
        /** It is answered that the server is busy. */
        REFUSED,
        /** It is answered that the server failed. */
        FAILED,
        /** Its connection ends without an answer. */
        CUT,
        /** Its connection ends in the middle of the server's answer. */
        TRUNCATED
    }

    private static final List<String> HEADERS = List.of("Content-Type", "Accept", "Authorization");

    private final URI server;
    private final Supplier<Fate> fates;
    private final HttpServer gateway;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    /**
     * Listens on a free loopback port.
     *
     * @param api base of the server's API
     * @param fates asked once before each request, never by two threads at once; it may take its time
     */
    FaultyGateway(URI api, Supplier<Fate> fates) throws IOException {
        this.server = api;
        this.fates = fates;
        this.gateway = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        gateway.setExecutor(threads);
        gateway.createContext("/", this::pass);
        gateway.start();
    }

    /** Base of the API through this gateway. */
    URI api() {
        return URI.create("http://127.0.0.1:" + gateway.getAddress().getPort() + server.getPath());
    }

    private synchronized void pass(HttpExchange exchange) throws IOException {
        try (exchange) {
            switch (fates.get()) {
                case ANSWERED -> {
                    byte[] body = forward(exchange);
                    try (OutputStream stream = exchange.getResponseBody()) {
                        stream.write(body);
                    }
                }
                case REFUSED -> refuse(exchange, 503);
                case FAILED -> refuse(exchange, 500);
                case CUT -> {
                    // Closing is enough.
                }
                case TRUNCATED -> {
                    byte[] body = forward(exchange);
                    exchange.getResponseBody().write(body, 0, body.length / 2);
                    exchange.getResponseBody().flush();
                }
            }
        }
    }

    /** Sends the request on and the headers of the answer back; returns the answer's body, which is not sent yet. */
    private byte[] forward(HttpExchange exchange) throws IOException {
        HttpRequest.Builder request = HttpRequest.newBuilder(server.resolve(exchange.getRequestURI()))
                .method(
                        exchange.getRequestMethod(),
                        BodyPublishers.ofByteArray(exchange.getRequestBody().readAllBytes()));
        HEADERS.forEach(name -> exchange.getRequestHeaders()
                .getOrDefault(name, List.of())
                .forEach(value -> request.header(name, value)));
        try {
            HttpResponse<byte[]> answer = client.send(request.build(), BodyHandlers.ofByteArray());
            answer.headers()
                    .firstValue("Content-Type")
                    .ifPresent(type -> exchange.getResponseHeaders().set("Content-Type", type));
            byte[] body = answer.body();
            exchange.sendResponseHeaders(answer.statusCode(), body.length == 0 ? -1 : body.length);
            return body;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }

    private static void refuse(HttpExchange exchange, int status) throws IOException {
        byte[] body = ("{\"status\": " + status + ", \"reason\": \"injected\", \"message\": \"injected\"}")
                .getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
    }

    @Override
    public void close() {
        gateway.stop(0);
        threads.shutdownNow();
        client.close();
    }
}
