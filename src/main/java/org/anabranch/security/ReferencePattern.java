package org.anabranch.security;

import java.util.function.Predicate;

/**
 * Names of references, with {@code *} for any characters, also none and also slashes. The whole name must match.
 *
 * <p>{@link Question#DETACHED} is no name: it is matched by itself and by {@code *} alone, so that who may do something to all branches
 * whose names begin with a D does not get at every commit.
 *
 * @param text not empty
 */
public record ReferencePattern(String text) implements Predicate<String> {

    private static final char ANY = '*';
    private static final String EVERYTHING = "*";

    public ReferencePattern {
        if (text.isEmpty()) {
            throw new IllegalArgumentException("A pattern of references is not empty");
        }
    }

    /** Whether it matches one name alone. */
    boolean isName() {
        return text.indexOf(ANY) < 0;
    }

    /** What stands before the first wildcard. */
    String prefix() {
        int any = text.indexOf(ANY);
        return any < 0 ? text : text.substring(0, any);
    }

    /** Takes time linear in the product of both lengths at worst: after a mismatch, only the last wildcard takes one more character. */
    @Override
    public boolean test(String name) {
        if (name.equals(Question.DETACHED)) {
            return text.equals(Question.DETACHED) || text.equals(EVERYTHING);
        }
        int at = 0;
        int in = 0;
        int lastWildcard = -1;
        int takenUntil = 0;
        while (in < name.length()) {
            if (at < text.length() && text.charAt(at) == ANY) {
                lastWildcard = at++;
                takenUntil = in;
            } else if (at < text.length() && text.charAt(at) == name.charAt(in)) {
                at++;
                in++;
            } else if (lastWildcard >= 0) {
                at = lastWildcard + 1;
                in = ++takenUntil;
            } else {
                return false;
            }
        }
        while (at < text.length() && text.charAt(at) == ANY) {
            at++;
        }
        return at == text.length();
    }
}
