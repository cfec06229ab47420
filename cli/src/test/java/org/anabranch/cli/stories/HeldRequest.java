package org.anabranch.cli.stories;

import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/** A POST whose last byte is not sent before it is asked for: the service is at work on it for as long as that. */
final class HeldRequest implements AutoCloseable {

    private static final int PATIENCE_MILLIS = 60_000;

    private final Socket socket;
    private final byte[] body;

    /** Sends all but the last byte of the body. */
    HeldRequest(URI api, String path, String json) throws IOException {
        body = json.getBytes(StandardCharsets.UTF_8);
        socket = new Socket(api.getHost(), api.getPort());
        socket.setSoTimeout(PATIENCE_MILLIS);
        String head = "POST " + api.getPath() + path + " HTTP/1.1\r\nHost: " + api.getAuthority()
                + "\r\nContent-Type: application/json\r\nContent-Length: " + body.length + "\r\n\r\n";
        OutputStream out = socket.getOutputStream();
        out.write(head.getBytes(StandardCharsets.US_ASCII));
        out.write(body, 0, body.length - 1);
        out.flush();
    }

    /** Sends the last byte and returns the beginning of the status line of the answer. */
    String finish() throws IOException {
        socket.getOutputStream().write(body[body.length - 1]);
        socket.getOutputStream().flush();
        return new String(socket.getInputStream().readNBytes("HTTP/1.1 200 OK".length()), StandardCharsets.US_ASCII);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
