package org.anabranch.cli.stories;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/** A GET of a large answer that nobody reads: a thread of the service is at work on it for as long as that. */
final class UnreadAnswer implements AutoCloseable {

    private static final int FEW_BYTES = 4096;
    private static final int PATIENCE_MILLIS = 60_000;
    private static final int STATUS_LINE = "HTTP/1.1 200 OK".length();

    private final Socket socket = new Socket();

    UnreadAnswer(URI api, String path) throws IOException {
        socket.setReceiveBufferSize(FEW_BYTES);
        socket.setSoTimeout(PATIENCE_MILLIS);
        socket.connect(new InetSocketAddress(api.getHost(), api.getPort()));
        String request = "GET " + api.getPath() + path + " HTTP/1.1\r\nHost: " + api.getAuthority()
                + "\r\nAccept: application/json\r\nConnection: close\r\n\r\n";
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
    }

    /** Whether something of the answer has come. */
    boolean isAnswered() throws IOException {
        return socket.getInputStream().available() >= STATUS_LINE;
    }

    /** The beginning of the status line of the answer, when it comes. */
    String status() throws IOException {
        return new String(socket.getInputStream().readNBytes(STATUS_LINE), StandardCharsets.US_ASCII);
    }

    /** Reads what is left, and returns its number of bytes. */
    long finish() throws IOException {
        InputStream in = socket.getInputStream();
        byte[] buffer = new byte[1 << 16];
        long all = 0;
        for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
            all += read;
        }
        return all;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
