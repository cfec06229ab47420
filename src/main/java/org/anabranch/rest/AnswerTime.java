package org.anabranch.rest;

import com.google.common.collect.ForwardingIterator;
import java.time.Duration;
import java.util.Iterator;
import java.util.function.LongSupplier;
import org.anabranch.model.RefusedException;

/**
 * How long the answer to one request may be read and written.
 *
 * @param limit from the first item on
 * @param nanos a clock that never steps back
 */
public record AnswerTime(Duration limit, LongSupplier nanos) {

    public AnswerTime {
        if (limit.isNegative() || limit.isZero()) {
            throw new IllegalArgumentException("anabranch.limits.answer-time must be more than zero");
        }
    }

    /**
     * The same items, as long as time is left. After that the next one is refused (400) by the name of the limit; where items
     * are on their way to the client already, all that is left is to break the answer off.
     */
    <T> Iterator<T> limited(Iterator<T> items) {
        long start = nanos.getAsLong();
        return new ForwardingIterator<>() {
            @Override
            protected Iterator<T> delegate() {
                return items;
            }

            @Override
            public T next() {
                if (nanos.getAsLong() - start > limit.toNanos()) {
                    throw RefusedException.badRequest("The answer took longer than the limit of " + limit.toMillis()
                            + " ms: read it in pages with max-records, or raise anabranch.limits.answer-time");
                }
                return super.next();
            }
        };
    }
}
