package org.anabranch.model;

import java.util.regex.Pattern;

/**
 * A name that a new branch or tag may have: a letter, then letters, digits and {@code . / _ -}, without {@code ..} and not
 * ending in {@code .} or {@code /}. Names that would be read as something else are none: {@code HEAD} and {@code DETACHED} in
 * any case, {@code -}, and 8 to 64 hex digits. At most {@value #MAX_LENGTH} characters, since stores keep names in indexes.
 */
public record ReferenceName(String value) {

    public static final int MAX_LENGTH = 500;

    private static final Pattern LIKE_A_HASH = Pattern.compile("[0-9a-fA-F]{8,64}");

    /** @throws IllegalArgumentException with a message that tells what is wrong with the name */
    public ReferenceName {
        if (value.length() > MAX_LENGTH) {
            throw new IllegalArgumentException("'" + value.substring(0, 50) + "...': a name has at most " + MAX_LENGTH
                    + " characters, and this one has " + value.length());
        }
        if (!RefSpec.isName(value)) {
            throw new IllegalArgumentException("'" + value + "': " + RefSpec.NAME_RULE);
        }
        if (value.equalsIgnoreCase("HEAD") || value.equalsIgnoreCase("DETACHED")) {
            throw new IllegalArgumentException("'" + value + "': HEAD and DETACHED are reserved, choose another name");
        }
        if (LIKE_A_HASH.matcher(value).matches()) {
            throw new IllegalArgumentException(
                    "'" + value + "': a name of 8 to 64 hex digits would be read as a hash, choose another name");
        }
    }

    @Override
    public String toString() {
        return value;
    }
}
