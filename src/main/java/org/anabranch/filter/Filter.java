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
}
