package org.anabranch.rest;

import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.RoutingContext;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Enumeration;
import org.anabranch.model.ErrorCode;
import org.anabranch.model.RefusedException;
import org.anabranch.rest.RefusalListener.Reason;
import org.jspecify.annotations.Nullable;

/**
 * The body of one request as it came over the wire, and what it takes of the {@link BodyBudget}: its bytes on the wire, or what it
 * counts as after decompression, whichever are more. Filled by the thread of the connection, read once by the one that works on the request.
 */
final class ReceivedBody {

    /** Few enough that a small body is felt, many enough that a large one does not ask for every buffer. */
    private static final int STEP = 64 << 10;

    private final BodyBudget budget;
    private final RefusalListener refusals;
    private final Deque<byte[]> parts = new ArrayDeque<>();
    private Buffer last = Buffer.buffer();
    private long size;
    private long decoded;
    private long taken;
    private boolean ended;

    ReceivedBody(BodyBudget budget, RefusalListener refusals) {
        this.budget = budget;
        this.refusals = refusals;
    }

    /** What came with the request; null if it has no body. */
    static @Nullable ReceivedBody of(RoutingContext exchange) {
        return exchange.get(ReceivedBody.class.getName());
    }

    void attachTo(RoutingContext exchange) {
        exchange.put(ReceivedBody.class.getName(), this);
    }

    /** How many bytes came so far. */
    long size() {
        return size;
    }

    /**
     * Takes in the next bytes. They are copied together, because a client may send each of them alone.
     *
     * @throws RefusedException 503 if the bodies of all requests together are too large
     */
    void add(Buffer part) {
        size += part.length();
        require(size);
        last.appendBuffer(part);
        if (last.length() >= STEP) {
            parts.add(last.getBytes());
            last = Buffer.buffer();
        }
    }

    /** All bytes; they are let go as they are read. */
    InputStream stream() {
        parts.add(last.getBytes());
        last = Buffer.buffer();
        return new SequenceInputStream(new Enumeration<InputStream>() {
            @Override
            public boolean hasMoreElements() {
                return !parts.isEmpty();
            }

            @Override
            public InputStream nextElement() {
                return new ByteArrayInputStream(parts.remove());
            }
        });
    }

    /**
     * Told by how much more the body counts than before, once it is decompressed.
     *
     * @throws RefusedException 503 if the bodies of all requests together are too large
     */
    void decoded(long bytes) {
        decoded += bytes;
        require(decoded);
    }

    private synchronized void require(long bytes) {
        while (bytes > taken && !ended) {
            if (!budget.take(STEP)) {
                refusals.refused(Reason.BODIES);
                throw RefusedException.of(
                        ErrorCode.SERVICE_UNAVAILABLE,
                        "The bodies of the requests under way have the " + budget.limit()
                                + " bytes that this server holds: send the request again later, or raise"
                                + " anabranch.limits.request-bodies");
            }
            taken += STEP;
        }
    }

    /** The request has ended: what it took is free again. Harmless when it is said twice. */
    synchronized void end() {
        ended = true;
        budget.giveBack(taken);
        taken = 0;
    }
}
