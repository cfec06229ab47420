package org.anabranch.model;

import org.jspecify.annotations.Nullable;

/**
 * A commit or reference as a client names it: {@code name}, {@code name@hash~2}, {@code @hash}, {@code -}.
 *
 * @param name of a branch or tag; {@code -} for the default branch; null for a detached commit
 */
public record RefSpec(@Nullable String name, HashSpec commit) {

    /** What a name of a branch or tag looks like, as messages say it. */
    public static final String NAME_RULE = RefGrammar.NAME_RULE;

    /**
     * Reads the form of paths, already percent-decoded. {@code DETACHED} with a hash is a detached commit; steps are kept in
     * their order.
     *
     * @throws IllegalArgumentException if the text has another form, or is detached without hash and steps
     */
    public static RefSpec parse(String text) {
        return RefGrammar.reference(text);
    }

    /** Whether a branch or tag could have this name by its letters; {@code -} is none. */
    public static boolean isName(String name) {
        return RefGrammar.isName(name);
    }

    public boolean isDetached() {
        return name == null;
    }
}
