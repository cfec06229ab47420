package org.anabranch.filter;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.anabranch.model.RefusedException;

/** A filter that ends. */
record TimedFilter<T>(Filter<T> filter, InstantSource clock, Instant end, Duration time) implements Filter<T> {

    @Override
    public boolean test(T object) {
        if (clock.instant().isAfter(end)) {
            throw RefusedException.badRequest("Filter took longer than the limit of " + time.toMillis()
                    + " ms: narrow the request with prefix-key or max-records, or raise anabranch.limits.filter-time");
        }
        return filter.test(object);
    }

    @Override
    public KeyScope scope() {
        return filter.scope();
    }
}
