package org.anabranch.wiring;

import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/** A connection of its own, on which every byte of a request is the test's. */
final class RawExchange implements AutoCloseable {

    private static final int SILENCE_MILLIS = 30_000;

    private final Socket socket;

    RawExchange(URI root) throws IOException {
        socket = new Socket(root.getHost(), root.getPort());
        socket.setSoTimeout(SILENCE_MILLIS);
    }

    /** Sends characters of Latin-1, a byte each. */
    void send(String text) throws IOException {
        OutputStream out = socket.getOutputStream();
        out.write(text.getBytes(StandardCharsets.ISO_8859_1));
        out.flush();
    }

    /** The beginning of a POST of JSON that has a body of a length. */
    void sendHead(String path, int length) throws IOException {
        send("POST " + path + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: "
                + length + "\r\n\r\n");
    }

    /** The status of the answer, when its first line comes; 0 if the connection ends without one. */
    int status() throws IOException {
        String line =
                new String(socket.getInputStream().readNBytes("HTTP/1.1 200".length()), StandardCharsets.ISO_8859_1);
        return line.length() < "HTTP/1.1 200".length() ? 0 : Integer.parseInt(line.substring("HTTP/1.1 ".length()));
    }

    /** All that comes until the service ends the connection. */
    String untilEnd() throws IOException {
        return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
