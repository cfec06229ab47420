package org.anabranch.bench.http;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One HTTP/1.1 connection that is kept open, for one thread and one request at a time.
 *
 * <p>It does what the benchmark needs and no more: a blocking socket, bodies by length or in chunks, no compression, no
 * redirects. That is why a request costs its client a few system calls and little else, which matters because the
 * client shares the processors with the server.
 */
public final class Connection implements AutoCloseable {

    private static final int TIMEOUT_MILLIS = 120_000;
    private static final byte[] NO_BYTES = {};

    private final int port;
    private final byte[] received = new byte[64 * 1024];
    private int position;
    private int limit;
    private byte[] body = new byte[64 * 1024];
    private @Nullable Socket socket;
    private @Nullable InputStream in;
    private @Nullable OutputStream out;

    /** To a port of the loopback address; opened with the first request. */
    public Connection(int port) {
        this.port = port;
    }

    public Answer get(String path) throws IOException {
        return send("GET", path, null);
    }

    /**
     * Sends one request and reads the whole answer.
     *
     * @param path from the root of the server, percent-encoded, with the query
     * @param json of the body; without one none is sent
     * @throws IOException nothing is known of the request; the connection is closed, and opened by the next request
     */
    public Answer send(String method, String path, @Nullable String json) throws IOException {
        try {
            return exchange(method, path, json);
        } catch (IOException e) {
            close();
            throw e;
        }
    }

    private Answer exchange(String method, String path, @Nullable String json) throws IOException {
        open();
        byte[] content = json == null ? NO_BYTES : json.getBytes(StandardCharsets.UTF_8);
        StringBuilder head = new StringBuilder(256);
        head.append(method)
                .append(' ')
                .append(path)
                .append(" HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: application/json\r\n");
        if (json != null) {
            head.append("Content-Type: application/json\r\nContent-Length: ")
                    .append(content.length)
                    .append("\r\n");
        }
        byte[] start = head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
        byte[] request = Arrays.copyOf(start, start.length + content.length);
        System.arraycopy(content, 0, request, start.length, content.length);
        out.write(request);
        return readAnswer();
    }

    private void open() throws IOException {
        if (socket != null) {
            return;
        }
        Socket opened = new Socket();
        opened.setTcpNoDelay(true);
        opened.setSoTimeout(TIMEOUT_MILLIS);
        opened.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), TIMEOUT_MILLIS);
        socket = opened;
        in = opened.getInputStream();
        out = opened.getOutputStream();
        position = 0;
        limit = 0;
    }

    private Answer readAnswer() throws IOException {
        String statusLine = readLine();
        if (!statusLine.startsWith("HTTP/1.1 ")) {
            throw new IOException("not an answer of HTTP/1.1: " + statusLine);
        }
        int status = Integer.parseInt(statusLine, 9, 12, 10);
        long contentLength = 0;
        boolean chunked = false;
        boolean close = false;
        for (String line = readLine(); !line.isEmpty(); line = readLine()) {
            int colon = line.indexOf(':');
            String name = line.substring(0, colon);
            String value = line.substring(colon + 1).trim();
            if (name.equalsIgnoreCase("content-length")) {
                contentLength = Long.parseLong(value);
            } else if (name.equalsIgnoreCase("transfer-encoding")) {
                chunked = value.equalsIgnoreCase("chunked");
            } else if (name.equalsIgnoreCase("connection")) {
                close = value.equalsIgnoreCase("close");
            }
        }
        int length = chunked ? readChunks() : readBytes(0, Math.toIntExact(contentLength));
        if (close) {
            close();
        }
        return new Answer(status, body, length);
    }

    private int readChunks() throws IOException {
        int length = 0;
        while (true) {
            String line = readLine();
            int extension = line.indexOf(';');
            int size = Integer.parseInt(line, 0, extension < 0 ? line.length() : extension, 16);
            if (size == 0) {
                while (!readLine().isEmpty()) {
                    // Trailers say nothing here.
                }
                return length;
            }
            length = readBytes(length, size);
            readLine();
        }
    }

    /** Reads bytes of the body to an offset; returns where they end. */
    private int readBytes(int offset, int count) throws IOException {
        int end = Math.addExact(offset, count);
        if (end > body.length) {
            body = Arrays.copyOf(body, Math.max(end, body.length * 2));
        }
        int at = offset;
        while (at < end) {
            fill();
            int taken = Math.min(limit - position, end - at);
            System.arraycopy(received, position, body, at, taken);
            position += taken;
            at += taken;
        }
        return end;
    }

    private String readLine() throws IOException {
        StringBuilder line = new StringBuilder(80);
        while (true) {
            fill();
            byte next = received[position++];
            if (next == '\n') {
                return line.toString();
            }
            if (next != '\r') {
                line.append((char) (next & 0xff));
            }
        }
    }

    private void fill() throws IOException {
        if (position < limit) {
            return;
        }
        limit = in.read(received);
        position = 0;
        if (limit <= 0) {
            limit = 0;
            throw new EOFException("the server closed the connection");
        }
    }

    @Override
    public void close() {
        Socket open = socket;
        socket = null;
        if (open != null) {
            try {
                open.close();
            } catch (IOException alreadyBroken) {
                // Nothing is waiting for it.
            }
        }
    }
}
