package org.anabranch.cli.fuzz;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Requests as they are, without the checks of a client library; an answer that takes longer than 30 s is an exception. One
 * connection as long as the service keeps it. For one thread.
 */
final class Exchange implements AutoCloseable {

    private static final int TIMEOUT_MILLIS = 30_000;

    /** An answer; the body is empty if there is none. */
    record Answer(int status, String body) {}

    private final URI service;
    private Socket socket;

    Exchange(URI service) {
        this.service = service;
    }

    /**
     * @param path raw, from its first slash to the end of its query
     * @param body null for none
     */
    Answer send(String method, String path, Map<String, String> headers, byte[] body) throws IOException {
        boolean fresh = socket == null;
        try {
            return sendOnce(method, path, headers, body);
        } catch (java.net.SocketTimeoutException e) {
            throw e;
        } catch (IOException e) {
            close();
            if (fresh) {
                throw e;
            }
            // The service had closed the connection after its last answer, which a client sees only now.
            return sendOnce(method, path, headers, body);
        }
    }

    private Answer sendOnce(String method, String path, Map<String, String> headers, byte[] body) throws IOException {
        if (socket == null) {
            socket = new Socket(InetAddress.getByName(service.getHost()), service.getPort());
            socket.setSoTimeout(TIMEOUT_MILLIS);
            socket.setTcpNoDelay(true);
        }
        StringBuilder head = new StringBuilder(method + " " + path + " HTTP/1.1\r\nHost: localhost\r\n");
        headers.forEach((name, value) -> head.append(name + ": " + value + "\r\n"));
        if (body != null) {
            head.append("Content-Length: " + body.length + "\r\n");
        }
        ByteArrayOutputStream request = new ByteArrayOutputStream();
        request.writeBytes(head.append("\r\n").toString().getBytes(StandardCharsets.UTF_8));
        request.writeBytes(body == null ? new byte[0] : body);
        socket.getOutputStream().write(request.toByteArray());
        return read(socket.getInputStream());
    }

    private Answer read(InputStream in) throws IOException {
        String statusLine = line(in);
        Map<String, String> headers = new TreeMap<>();
        for (String line = line(in); !line.isEmpty(); line = line(in)) {
            int colon = line.indexOf(':');
            headers.put(
                    line.substring(0, colon).toLowerCase(Locale.ROOT),
                    line.substring(colon + 1).trim());
        }
        byte[] body;
        boolean ends = "close".equalsIgnoreCase(headers.get("connection"));
        if ("chunked".equalsIgnoreCase(headers.get("transfer-encoding"))) {
            body = chunks(in);
        } else if (headers.containsKey("content-length")) {
            body = in.readNBytes(Integer.parseInt(headers.get("content-length")));
        } else {
            ends = true;
            body = in.readAllBytes();
        }
        if (ends) {
            close();
        }
        return new Answer(Integer.parseInt(statusLine.split(" ")[1]), new String(body, StandardCharsets.UTF_8));
    }

    private static byte[] chunks(InputStream in) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        while (true) {
            int length = Integer.parseInt(line(in).trim(), 16);
            all.writeBytes(in.readNBytes(length));
            line(in);
            if (length == 0) {
                return all.toByteArray();
            }
        }
    }

    private static String line(InputStream in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new IOException("the connection ended within the head of an answer");
            }
            if (next != '\r') {
                line.write(next);
            }
        }
        return line.toString(StandardCharsets.UTF_8);
    }

    @Override
    public void close() throws IOException {
        if (socket != null) {
            socket.close();
            socket = null;
        }
    }
}
