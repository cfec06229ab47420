package org.anabranch.model;

import java.util.List;
import java.util.Optional;

/**
 * The name of a content: a path of elements such as {@code [sales, eu, orders]}.
 *
 * <p>Ordered element by element, each by UTF-16 code unit; a key sorts before those below it.
 *
 * @param elements 1 to {@value #MAX_ELEMENTS} non-empty elements with together at most {@value #MAX_LENGTH} UTF-16
 *     code units, none of them below U+0020 or equal to U+007F
 */
public record ContentKey(List<String> elements) implements Comparable<ContentKey> {

    public static final int MAX_ELEMENTS = 20;
    public static final int MAX_LENGTH = 500;

    public ContentKey {
        elements = Checks.copied("elements", elements);
        if (elements.isEmpty()) {
            throw new IllegalArgumentException("A content key has at least one element");
        }
        checkElements(elements);
    }

    /** Checks the rules that a key and the elements of a namespace share. */
    static void checkElements(List<String> elements) {
        if (elements.size() > MAX_ELEMENTS) {
            throw new IllegalArgumentException(
                    "Key too long: it has " + elements.size() + " elements, the limit is " + MAX_ELEMENTS);
        }
        int length = 0;
        for (String element : elements) {
            if (element.isEmpty()) {
                throw new IllegalArgumentException("A content key must not contain an empty element: " + elements);
            }
            for (int i = 0; i < element.length(); i++) {
                char c = element.charAt(i);
                if (c < 0x20 || c == 0x7f) {
                    throw new IllegalArgumentException(String.format(
                            "A content key must not contain the character U+%04X (element '%s')",
                            (int) c, element.replace(c, '?')));
                }
            }
            length += element.length();
        }
        if (length > MAX_LENGTH) {
            throw new IllegalArgumentException(
                    "Key too long: it has " + length + " characters, the limit is " + MAX_LENGTH);
        }
    }

    public static ContentKey of(String... elements) {
        return new ContentKey(List.of(elements));
    }

    /** The last element. */
    public String name() {
        return elements.get(elements.size() - 1);
    }

    /** The key of the namespace that holds this key; empty for a key of one element. */
    public Optional<ContentKey> parent() {
        return elements.size() == 1
                ? Optional.empty()
                : Optional.of(new ContentKey(elements.subList(0, elements.size() - 1)));
    }

    /** Whether this key is {@code other} or lies below it. */
    public boolean startsWith(ContentKey other) {
        return elements.size() >= other.elements.size()
                && elements.subList(0, other.elements.size()).equals(other.elements);
    }

    @Override
    public int compareTo(ContentKey other) {
        int common = Math.min(elements.size(), other.elements.size());
        for (int i = 0; i < common; i++) {
            int order = elements.get(i).compareTo(other.elements.get(i));
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(elements.size(), other.elements.size());
    }

    /** The elements joined with dots, for people; use the encodings of the API where it must be read back. */
    @Override
    public String toString() {
        return String.join(".", elements);
    }
}
