package org.anabranch.bench.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ConnectionTest {

    /** A length of 0 is how this server says that it does not know the length, and sends chunks. */
    private static final int IN_CHUNKS = 0;

    @Test
    void readsBodiesByLengthAndInChunksOverOneConnection() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        String large = "x".repeat(300_000);
        server.createContext("/chunks", exchange -> {
            exchange.sendResponseHeaders(200, IN_CHUNKS);
            exchange.getResponseBody().write(large.getBytes(StandardCharsets.US_ASCII));
            exchange.close();
        });
        server.createContext("/echo", exchange -> {
            byte[] body = exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(409, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        try (Connection connection = new Connection(server.getAddress().getPort())) {
            Answer chunks = connection.get("/chunks");
            assertThat(chunks.ok()).isTrue();
            assertThat(chunks.text()).isEqualTo(large);
            Answer echo = connection.send("POST", "/echo", "{\"a\":\"é\"}");
            assertThat(echo.status()).isEqualTo(409);
            assertThat(echo.ok()).isFalse();
            assertThat(echo.text()).isEqualTo("{\"a\":\"é\"}");
            assertThat(connection.get("/chunks").length()).isEqualTo(large.length());
        } finally {
            server.stop(0);
        }
    }

    @Test
    void findsTheHashHoweverTheJsonIsSpaced() {
        assertThat(answer("{\"targetBranch\":{\"name\":\"main\",\"hash\":\"ab12\"}}")
                        .hash())
                .isEqualTo("ab12");
        assertThat(answer("{ \"targetBranch\" : {\n \"hash\" : \"cd34\" } }").hash())
                .isEqualTo("cd34");
        assertThatThrownBy(() -> answer("{\"status\":400}").hash())
                .hasMessageContaining("no hash in: {\"status\":400}");
    }

    @Test
    void aConnectionThatBreaksOffIsOpenedAgainByTheNextRequest() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 2, InetAddress.getLoopbackAddress());
                Connection connection = new Connection(server.getLocalPort())) {
            Thread twice = Thread.ofPlatform().start(() -> {
                answerAndClose(server, "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf");
                answerAndClose(server, "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nwhole");
            });
            assertThatThrownBy(() -> connection.get("/")).isInstanceOf(EOFException.class);
            assertThat(connection.get("/").text()).isEqualTo("whole");
            twice.join();
        }
    }

    private static void answerAndClose(ServerSocket server, String answer) {
        try (Socket socket = server.accept()) {
            byte[] request = new byte[1_000];
            assertThat(socket.getInputStream().read(request)).isPositive();
            socket.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Answer answer(String json) {
        byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
        return new Answer(200, bytes, bytes.length);
    }
}
