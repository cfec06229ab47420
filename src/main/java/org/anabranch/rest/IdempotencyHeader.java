package org.anabranch.rest;

import io.vertx.core.http.HttpServerRequest;
import jakarta.enterprise.context.RequestScoped;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.Locale;
import org.anabranch.model.Idempotency;
import org.anabranch.model.RefusedException;
import org.jspecify.annotations.Nullable;

/**
 * The idempotency key of the request that is under way, and the digest by which a repeat is told from another request: of the
 * method, the path, the query, the headers that go into commits, and the body after decompression, each byte by byte.
 */
@RequestScoped
public class IdempotencyHeader {

    static final String NAME = "Idempotency-Key";

    private final HttpServerRequest request;
    private byte[] bodyDigest = {};

    IdempotencyHeader(HttpServerRequest request) {
        this.request = request;
    }

    /** Told by whoever reads the body, if the request has one and {@link #isGiven}. */
    void bodyRead(byte[] digest) {
        bodyDigest = digest;
    }

    boolean isGiven() {
        return request.headers().contains(NAME);
    }

    /**
     * Null if the request has none. To be called when the body has been read.
     *
     * @throws RefusedException 400 if the key is given twice or cannot be one
     */
    @Nullable
    Idempotency find() {
        List<String> values = request.headers().getAll(NAME);
        if (values.isEmpty()) {
            return null;
        }
        if (values.size() > 1) {
            throw RefusedException.badRequest(NAME + ": is given " + values.size() + " times; give it once");
        }
        try {
            return new Idempotency(values.get(0).trim(), requestDigest());
        } catch (IllegalArgumentException e) {
            throw RefusedException.badRequest(NAME + ": " + e.getMessage());
        }
    }

    private byte[] requestDigest() {
        MessageDigest digest = newDigest();
        add(digest, request.method().name());
        // With the query, as they were sent.
        add(digest, request.uri());
        request.headers().entries().stream()
                .map(header -> header.getKey().toLowerCase(Locale.ROOT) + ':' + header.getValue())
                .filter(header -> header.startsWith(MetaHeaders.PREFIX))
                .sorted()
                .forEach(header -> add(digest, header));
        digest.update(bodyDigest);
        return digest.digest();
    }

    /** Behind its length, so that no two requests amount to the same bytes. */
    private static void add(MessageDigest digest, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).flip());
        digest.update(bytes);
    }

    static MessageDigest newDigest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("Every Java platform has SHA-256", e);
        }
    }
}
