package org.anabranch.cli.stories;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** Takes spans on a loopback port, as a collector does by OTLP over HTTP, and keeps what tells them apart. Safe from many threads. */
final class OtlpReceiver implements AutoCloseable {

    /** Numbers of fields in the protocol's messages. */
    private static final int RESOURCE_SPANS = 1;

    private static final int SCOPE_SPANS = 2;
    private static final int SPANS = 2;
    private static final int TRACE_ID = 1;
    private static final int SPAN_ID = 2;
    private static final int PARENT_SPAN_ID = 4;
    private static final int NAME = 5;

    /** @param parent empty for the first of a trace in this process, unless the caller's trace goes on */
    record Span(String trace, String id, String parent, String name) {}

    private final HttpServer server;
    private final Map<String, Span> spans = new ConcurrentHashMap<>();

    OtlpReceiver() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/v1/traces", exchange -> {
            read(ByteBuffer.wrap(exchange.getRequestBody().readAllBytes()));
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        server.start();
    }

    URI endpoint() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    Stream<Span> spans() {
        return spans.values().stream();
    }

    /** What a span is a part of, as far as it has come. */
    Optional<Span> parent(Span span) {
        return Optional.ofNullable(spans.get(span.parent()));
    }

    @Override
    public void close() {
        server.stop(0);
    }

    private void read(ByteBuffer request) {
        fields(request, (number, resource) -> {
            if (number == RESOURCE_SPANS) {
                fields(resource, (ofResource, scope) -> {
                    if (ofResource == SCOPE_SPANS) {
                        fields(scope, (ofScope, span) -> {
                            if (ofScope == SPANS) {
                                keep(span);
                            }
                        });
                    }
                });
            }
        });
    }

    private void keep(ByteBuffer message) {
        String[] found = {"", "", "", ""};
        fields(message, (number, value) -> {
            switch (number) {
                case TRACE_ID -> found[0] = hex(value);
                case SPAN_ID -> found[1] = hex(value);
                case PARENT_SPAN_ID -> found[2] = hex(value);
                case NAME -> found[3] = StandardCharsets.UTF_8.decode(value).toString();
                default -> {}
            }
        });
        spans.put(found[1], new Span(found[0], found[1], found[2], found[3]));
    }

    private interface Field {
        void found(int number, ByteBuffer value);
    }

    /** Walks the fields of a protobuf message, and gives those that have a length. */
    private static void fields(ByteBuffer message, Field field) {
        while (message.hasRemaining()) {
            int tag = (int) varint(message);
            switch (tag & 7) {
                case 0 -> varint(message);
                case 1 -> message.position(message.position() + 8);
                case 2 -> {
                    int length = (int) varint(message);
                    field.found(tag >>> 3, message.slice(message.position(), length));
                    message.position(message.position() + length);
                }
                case 5 -> message.position(message.position() + 4);
                default -> throw new IllegalStateException("No protobuf: wire type " + (tag & 7));
            }
        }
    }

    private static long varint(ByteBuffer in) {
        long value = 0;
        for (int shift = 0; ; shift += 7) {
            byte next = in.get();
            value |= (next & 0x7fL) << shift;
            if (next >= 0) {
                return value;
            }
        }
    }

    private static String hex(ByteBuffer bytes) {
        byte[] copy = new byte[bytes.remaining()];
        bytes.get(copy);
        return HexFormat.of().formatHex(copy);
    }
}
