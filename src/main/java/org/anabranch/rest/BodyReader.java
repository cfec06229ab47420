package org.anabranch.rest;

import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Provider;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.ext.ReaderInterceptor;
import jakarta.ws.rs.ext.ReaderInterceptorContext;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.security.DigestInputStream;
import java.util.Locale;
import java.util.zip.GZIPInputStream;
import java.util.zip.InflaterInputStream;
import java.util.zip.ZipException;
import org.anabranch.model.ErrorCode;
import org.anabranch.model.RefusedException;
import org.anabranch.rest.error.BodyTooLargeException;
import org.jspecify.annotations.Nullable;

/**
 * Decompresses bodies as they are read and counts what comes out, so that a small body that grows large is never held whole. Counted
 * are its bytes, or what its values will take where that is more, see {@link ParsedSize}. A body without a byte reads as null.
 */
@jakarta.ws.rs.ext.Provider
public final class BodyReader implements ReaderInterceptor {

    /** Asked for late, because the framework makes interceptors before there is a configuration. */
    private final Provider<BodyLimit> limit;

    private final Provider<IdempotencyHeader> idempotency;

    private final Provider<RoutingContext> exchange;

    public BodyReader(
            Provider<BodyLimit> limit, Provider<IdempotencyHeader> idempotency, Provider<RoutingContext> exchange) {
        this.limit = limit;
        this.idempotency = idempotency;
        this.exchange = exchange;
    }

    @Override
    public @Nullable Object aroundReadFrom(ReaderInterceptorContext context) throws IOException {
        ReceivedBody body = ReceivedBody.of(exchange.get());
        if (body == null || body.size() == 0) {
            return null;
        }
        String encoding = context.getHeaders().getFirst(HttpHeaders.CONTENT_ENCODING);
        Counted counted =
                new Counted(decoded(body.stream(), encoding), limit.get().bytes(), body);
        IdempotencyHeader header = idempotency.get();
        if (!header.isGiven()) {
            context.setInputStream(counted);
            return context.proceed();
        }
        try (counted) {
            // The JSON reader closes at the end of the JSON, and what follows counts as well.
            DigestInputStream digested = new DigestInputStream(counted, IdempotencyHeader.newDigest()) {
                @Override
                public void close() {}
            };
            context.setInputStream(digested);
            Object read = context.proceed();
            digested.transferTo(OutputStream.nullOutputStream());
            header.bodyRead(digested.getMessageDigest().digest());
            return read;
        }
    }

    private static InputStream decoded(InputStream body, @Nullable String encoding) throws IOException {
        String name = encoding == null ? "identity" : encoding.trim().toLowerCase(Locale.ROOT);
        try {
            return switch (name) {
                case "identity", "" -> body;
                case "gzip", "x-gzip" -> new GZIPInputStream(body);
                case "deflate" -> new InflaterInputStream(body);
                default ->
                    throw RefusedException.of(
                            ErrorCode.UNSUPPORTED_MEDIA_TYPE,
                            "Content-Encoding: '" + encoding + "' is not supported; give gzip, deflate or none");
            };
        } catch (ZipException | EOFException e) {
            throw notWhatItSays(e);
        }
    }

    private static RefusedException notWhatItSays(IOException e) {
        return RefusedException.badRequest(
                "Content-Encoding: the body is not compressed as the header says: " + e.getMessage());
    }

    /** Ends with an exception at the first byte past the limit, or past what all bodies together may have. */
    private static final class Counted extends FilterInputStream {

        private final long limit;
        private final ReceivedBody body;
        private final ParsedSize size = new ParsedSize();
        private long count;

        Counted(InputStream in, long limit, ReceivedBody body) {
            super(in);
            this.limit = limit;
            this.body = body;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] buffer, int offset, int length) throws IOException {
            int read;
            try {
                read = super.read(buffer, offset, length);
            } catch (ZipException | EOFException e) {
                throw notWhatItSays(e);
            }
            if (read > 0) {
                size.add(buffer, offset, read);
                long more = size.counted() - count;
                count += more;
                if (count > limit) {
                    throw new BodyTooLargeException(limit);
                }
                body.decoded(more);
            }
            return read;
        }

        @Override
        public long skip(long bytes) throws IOException {
            // Skipped bytes count as well, so they are read.
            return Math.max(0, read(new byte[(int) Math.min(bytes, 8192)]));
        }

        @Override
        public boolean markSupported() {
            return false;
        }
    }
}
