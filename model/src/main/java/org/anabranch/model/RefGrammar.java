package org.anabranch.model;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The grammar of references and hashes in requests, read in one pass without backtracking: names may be as long as a
 * request body.
 *
 * <pre>
 * ref   := [ name | "-" ] [ "@" [ hash ] ] { step }
 * hash  := 8 to 64 hex digits, an even number
 * step  := ( "~" | "^" ) n  |  "*" ( milliseconds | yyyy-mm-ddThh:mm:ss[.f]Z )
 * </pre>
 */
final class RefGrammar {

    static final String NAME_RULE =
            "Reference name must start with a letter, followed by letters, digits, one of the ./_- "
                    + "characters, not end with a slash or dot, not contain '..'";

    private static final String HASH_RULE = "a hash has 8 to 64 hex digits, an even number of them";
    private static final String STEPS = "~^*";
    private static final String DETACHED = "DETACHED";

    /** Each of them is a way through the history. */
    private static final int MAX_STEPS = 1_000;

    private final String text;
    private int at;

    private RefGrammar(String text) {
        this.text = text;
    }

    static RefSpec reference(String text) {
        return new RefGrammar(text).reference();
    }

    static HashSpec hashWithSteps(String text) {
        if (text.isEmpty()) {
            throw new IllegalArgumentException("'': " + HASH_RULE + "; leave the field out to give none");
        }
        RefGrammar grammar = new RefGrammar(text);
        int end = grammar.indexOfAny(STEPS);
        String hash = end == 0 ? null : grammar.hash(end);
        grammar.at = end;
        return new HashSpec(hash, grammar.steps());
    }

    static boolean isName(String name) {
        if (name.isEmpty() || !isLetter(name.charAt(0)) || name.contains("..")) {
            return false;
        }
        for (int i = 1; i < name.length(); i++) {
            char c = name.charAt(i);
            if (!isLetter(c) && !isDigit(c) && "./_-".indexOf(c) < 0) {
                return false;
            }
        }
        char last = name.charAt(name.length() - 1);
        return last != '.' && last != '/';
    }

    static boolean isHash(String text) {
        if (text.length() < 8 || text.length() > 64 || text.length() % 2 != 0) {
            return false;
        }
        return text.chars().allMatch(c -> Character.digit(c, 16) >= 0 && c < 0x80);
    }

    private RefSpec reference() {
        int nameEnd = indexOfAny("@" + STEPS);
        String name = text.substring(0, nameEnd);
        if (!name.isEmpty() && !name.equals("-") && !isName(name)) {
            throw new IllegalArgumentException("'" + text + "': " + NAME_RULE);
        }
        at = nameEnd;
        String hash = null;
        if (at < text.length() && text.charAt(at) == '@') {
            at++;
            int hashEnd = indexOfAny(STEPS);
            hash = at == hashEnd ? null : hash(hashEnd);
            at = hashEnd;
        }
        HashSpec commit = new HashSpec(hash, steps());
        boolean detached = name.isEmpty() || name.equals(DETACHED);
        if (detached && commit.isHead()) {
            throw new IllegalArgumentException("'" + text + "': a detached reference needs a hash, as in @<hash>");
        }
        return new RefSpec(detached ? null : name, commit);
    }

    /** The hash from here to {@code end}. */
    private String hash(int end) {
        String hash = text.substring(at, end);
        if (!isHash(hash)) {
            throw new IllegalArgumentException(
                    "'" + text + "': " + HASH_RULE + ", and '" + hash + "' is none. " + NAME_RULE);
        }
        return hash.toLowerCase(Locale.ROOT);
    }

    private List<RelativeSpec> steps() {
        List<RelativeSpec> steps = new ArrayList<>();
        while (at < text.length()) {
            if (steps.size() == MAX_STEPS) {
                throw new IllegalArgumentException("A commit is named by at most " + MAX_STEPS
                        + " steps (~, ^, *): give its hash, or fewer steps with larger numbers");
            }
            char kind = text.charAt(at++);
            int end = indexOfAny(STEPS);
            String value = text.substring(at, end);
            at = end;
            steps.add(
                    switch (kind) {
                        case '~' -> new RelativeSpec.Predecessor(count(value));
                        case '^' -> new RelativeSpec.Parent(count(value));
                        default -> new RelativeSpec.AsOf(time(value));
                    });
        }
        return steps;
    }

    private int count(String value) {
        Long n = number(value);
        if (n == null || n < 1 || n >= Integer.MAX_VALUE) {
            throw new IllegalArgumentException("'" + text + "': ~ and ^ are followed by a number from 1 to "
                    + (Integer.MAX_VALUE - 1) + ", not by '" + value + "'. " + NAME_RULE);
        }
        return n.intValue();
    }

    private Instant time(String value) {
        Long millis = number(value);
        try {
            if (millis != null) {
                return Instant.ofEpochMilli(millis);
            }
            if (value.endsWith("Z") && value.startsWith("T", 10) && isTimeShaped(value)) {
                return Instant.parse(value);
            }
        } catch (DateTimeException e) {
            // A month 13, say: refused below as any other text.
        }
        throw new IllegalArgumentException(
                "'" + text + "': * is followed by milliseconds since the epoch or a time such as "
                        + "2026-01-31T12:00:00.5Z, not by '" + value + "'. " + NAME_RULE);
    }

    /** Four digits for the year and two for everything else but the fraction, as {@link Instant#parse} alone does not demand. */
    private static boolean isTimeShaped(String value) {
        String shape = "dddd-dd-ddTdd:dd:dd";
        for (int i = 0; i < shape.length(); i++) {
            char c = value.charAt(i);
            if (shape.charAt(i) == 'd' ? !isDigit(c) : c != shape.charAt(i)) {
                return false;
            }
        }
        String rest = value.substring(shape.length(), value.length() - 1);
        return rest.isEmpty()
                || rest.length() >= 2
                        && rest.length() <= 10
                        && rest.charAt(0) == '.'
                        && rest.substring(1).chars().allMatch(c -> isDigit((char) c));
    }

    /** The value of decimal digits; null if there are other characters, or too many digits. */
    private static @Nullable Long number(String value) {
        if (value.isEmpty() || !value.chars().allMatch(c -> isDigit((char) c))) {
            return null;
        }
        try {
            return Long.valueOf(value);
        } catch (NumberFormatException tooLarge) {
            return null;
        }
    }

    private int indexOfAny(String characters) {
        int end = at;
        while (end < text.length() && characters.indexOf(text.charAt(end)) < 0) {
            end++;
        }
        return end;
    }

    private static boolean isLetter(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }
}
