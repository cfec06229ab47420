package org.anabranch.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * The forms of a content key as one string, as they stand in paths, query parameters and filters before percent-encoding.
 * One decoder reads them all.
 */
public enum KeyEncoding {
    /** Elements joined with dots; a dot inside an element becomes U+001D. What filters see, and clients before spec 2.2 send. */
    LEGACY {
        @Override
        public String encode(ContentKey key) {
            StringJoiner text = new StringJoiner(".");
            for (String element : key.elements()) {
                text.add(element.replace('.', GROUP_SEPARATOR));
            }
            return text.toString();
        }
    },

    /** Without dot, slash, backslash or percent sign inside the elements; what clients since spec 2.2 send. */
    ESCAPED {
        @Override
        public String encode(ContentKey key) {
            return escaped(key, "./\\%", ".*/\\%", ".*{}[");
        }
    },

    /** As {@link #ESCAPED}, with slash, backslash and percent sign left as they are; for people. */
    CANONICAL {
        @Override
        public String encode(ContentKey key) {
            return escaped(key, ".", ".*", ".*");
        }
    };

    private static final char GROUP_SEPARATOR = '\u001d';

    /** What stands behind the escape character for each character of {@link #PLAIN}. */
    private static final String ESCAPES = ".*{}[";

    private static final String PLAIN = ".*/\\%";

    /** The key in this form. */
    public abstract String encode(ContentKey key);

    /**
     * Reads a key in any of the forms.
     *
     * <ol>
     *   <li>Dots end elements; U+001D and U+0000 stand for a dot inside one.
     *   <li>A dot where an element would be empty says that the string is escaped: it is read again from its second
     *       character, with {@code *} and a further character standing for one that is not allowed as such.
     * </ol>
     *
     * @return empty for the key without elements, which names no content and is above all of them
     * @throws IllegalArgumentException if the string is no key; the message shows it
     */
    public static Optional<ContentKey> decode(String text) {
        List<String> elements = plainElements(text);
        if (elements == null) {
            elements = escapedElements(text);
        }
        if (elements.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(new ContentKey(elements));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("cannot be decoded: '" + text + "': " + e.getMessage(), e);
        }
    }

    /** Step 1; null if the string is escaped. */
    private static @Nullable List<String> plainElements(String text) {
        List<String> elements = new ArrayList<>();
        StringBuilder element = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '.') {
                if (element.isEmpty()) {
                    return null;
                }
                elements.add(element.toString());
                element.setLength(0);
            } else {
                element.append(c == GROUP_SEPARATOR || c == 0 ? '.' : c);
            }
        }
        if (!element.isEmpty()) {
            elements.add(element.toString());
        }
        return elements;
    }

    /** Step 2. */
    private static List<String> escapedElements(String text) {
        List<String> elements = new ArrayList<>();
        StringBuilder element = new StringBuilder();
        for (int i = 1; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '.') {
                elements.add(element.toString());
                element.setLength(0);
            } else if (c == '*') {
                i++;
                int escape = i < text.length() ? ESCAPES.indexOf(text.charAt(i)) : -1;
                if (escape < 0) {
                    throw new IllegalArgumentException(
                            "cannot be decoded: '" + text + "': in an escaped key '*' is followed by one of . * { } [");
                }
                element.append(PLAIN.charAt(escape));
            } else {
                element.append(c);
            }
        }
        if (!element.isEmpty()) {
            elements.add(element.toString());
        }
        return elements;
    }

    private static String escaped(ContentKey key, String causes, String plain, String escapes) {
        boolean asIs = key.elements().stream().flatMapToInt(String::chars).noneMatch(c -> causes.indexOf(c) >= 0);
        if (asIs) {
            return String.join(".", key.elements());
        }
        StringBuilder text = new StringBuilder();
        for (String element : key.elements()) {
            text.append('.');
            for (int i = 0; i < element.length(); i++) {
                int escape = plain.indexOf(element.charAt(i));
                if (escape < 0) {
                    text.append(element.charAt(i));
                } else {
                    text.append('*').append(escapes.charAt(escape));
                }
            }
        }
        return text.toString();
    }
}
