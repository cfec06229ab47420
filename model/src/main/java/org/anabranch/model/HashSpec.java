package org.anabranch.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A commit as a client names it: where to start, and steps from there, applied left to right.
 *
 * @param hash 8 to 64 lower-case hex digits, an even number of them; never an abbreviation, so fewer than 64 name a commit
 *     that does not exist. Null to start at the head of the reference
 */
public record HashSpec(@Nullable String hash, List<RelativeSpec> steps) {

    /** The head of the reference. */
    public static final HashSpec HEAD = new HashSpec(null, List.of());

    public HashSpec {
        steps = List.copyOf(steps);
    }

    public boolean isHead() {
        return hash == null && steps.isEmpty();
    }
}
