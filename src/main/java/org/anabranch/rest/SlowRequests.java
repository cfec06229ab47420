package org.anabranch.rest;

import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Tells the log of each request that took long, and where its time went: one line, when its answer is written. A request has one
 * thread from its begin to its end, so what is measured below, where nobody knows of requests, belongs to the one of that thread. Safe
 * from many threads.
 */
@Singleton
public final class SlowRequests {

    private static final Logger LOG = Logger.getLogger(SlowRequests.class);

    /** Before all that may take time; behind what gives requests their ids. */
    private static final int PRIORITY = 290;

    private static final int LONGEST_PATH = 500;
    private static final Pattern UNPRINTABLE = Pattern.compile("[^\\x21-\\x7e]");
    private static final String KEY = SlowRequests.class.getName();

    private final Limit limit;

    /** The last request of each thread; what is told of one that has ended is heard by nobody. */
    private final ThreadLocal<@Nullable RequestTimes> current = new ThreadLocal<>();

    public SlowRequests(Limit limit) {
        this.limit = limit;
    }

    /**
     * What is slow.
     *
     * @param duration from the request's line to the answer's end; zero for every request
     * @param nanos a clock that never steps back
     */
    public record Limit(Duration duration, LongSupplier nanos) {

        public Limit {
            if (duration.isNegative()) {
                throw new IllegalArgumentException(
                        "anabranch.log.slow-request must not be less than zero, which tells of every request");
            }
        }
    }

    void register(@Observes Filters filters) {
        filters.register(this::arrived, PRIORITY);
    }

    private void arrived(RoutingContext exchange) {
        // A request whose path is rewritten comes here twice.
        if (exchange.get(KEY) == null) {
            RequestTimes times = new RequestTimes(limit.nanos().getAsLong());
            exchange.put(KEY, times);
            exchange.addEndHandler(end -> ended(exchange, times));
        }
        exchange.next();
    }

    /** The thread that calls this works on the request from now on. */
    void begun(RoutingContext exchange) {
        RequestTimes times = exchange.get(KEY);
        if (times != null) {
            times.begin(limit.nanos().getAsLong());
        }
        current.set(times);
    }

    /** The request of this thread is decided; its answer is written from now on. */
    void answered() {
        RequestTimes times = current.get();
        if (times != null) {
            times.answer(limit.nanos().getAsLong());
        }
    }

    /** The request of this thread is handed to the writer of its branch. */
    public void writeBegun() {
        RequestTimes times = current.get();
        if (times != null) {
            times.beginWrite();
        }
    }

    /** The writer of the branch has ended the request of this thread. */
    public void writeEnded(long waitedNanos, long judgedNanos, long storedNanos) {
        RequestTimes times = current.get();
        if (times != null) {
            times.endWrite(waitedNanos, judgedNanos, storedNanos);
        }
    }

    /** The request of this thread had to do with the store for some time. */
    public void stored(long nanos) {
        RequestTimes times = current.get();
        if (times != null) {
            times.addStore(nanos);
        }
    }

    private void ended(RoutingContext exchange, RequestTimes times) {
        long now = limit.nanos().getAsLong();
        long all = times.all(now);
        if (all >= limit.duration().toNanos()) {
            HttpServerRequest request = exchange.request();
            LOG.warnf(
                    "Slow request %s: %s %s, answered %d with %d bytes in %d ms: %s",
                    RequestIds.of(exchange),
                    request.method(),
                    printable(request.path()),
                    exchange.response().getStatusCode(),
                    exchange.response().bytesWritten(),
                    Duration.ofNanos(all).toMillis(),
                    times.breakdown(now));
        }
    }

    /** As it came, but for what could forge a line or hide one. */
    private static String printable(@Nullable String path) {
        String whole = String.valueOf(path);
        return UNPRINTABLE
                .matcher(whole.length() <= LONGEST_PATH ? whole : whole.substring(0, LONGEST_PATH))
                .replaceAll("?");
    }
}
