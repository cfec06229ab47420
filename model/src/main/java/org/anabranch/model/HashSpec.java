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

    /**
     * Reads the form of request bodies: a hash, steps, or a hash with steps.
     *
     * @throws IllegalArgumentException if the text has another form; the empty text has
     */
    public static HashSpec parse(String text) {
        return RefGrammar.hashWithSteps(text);
    }

    /** Whether the text has the form of a hash: 8 to 64 hex digits of either case, an even number of them. */
    public static boolean isHash(String text) {
        return RefGrammar.isHash(text);
    }

    public boolean isHead() {
        return hash == null && steps.isEmpty();
    }
}
