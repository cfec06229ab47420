package org.anabranch.filter;

import java.util.function.Predicate;

/**
 * A compiled filter. Safe from many threads.
 *
 * <p>{@link #test} throws {@link org.anabranch.model.RefusedException} (bad request) if the filter fails on an object, such as
 * by an index out of range, or gives no boolean.
 */
public interface Filter<T> extends Predicate<T> {

    /** The keys outside of which nothing matches and nothing fails; {@link KeyScope#ALL} for filters of what has no key. */
    KeyScope scope();

    /**
     * The same filter for one request.
     *
     * @param timeLimit called for each object, and now and then in the middle of one; throws when there is no time left
     */
    Filter<T> limited(Runnable timeLimit);
}
