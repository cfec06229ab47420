package org.anabranch.filter;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Compiles patterns of RE2, bounded: counted repetitions are written out by the compiler, so {@code ((x{1000}){1000}){1000}}
 * would fill the memory, and what is compiled is walked for every character of a text.
 */
final class Patterns {

    /** The most parts of a pattern with its repetitions written out: what a filter could say without any. */
    static final int MAX_PARTS = FilterLimits.DEFAULT.length();

    /** The compiler takes nested groups recursively. */
    static final int MAX_DEPTH = 100;

    private final String text;
    private int at;

    /** Parts of the groups that are open, outermost first, without those of the group in hand. */
    private final Deque<Long> open = new ArrayDeque<>();

    /** Parts of the group in hand, without its last one, which a repetition can follow. */
    private long group;

    private long last;

    private Patterns(String text) {
        this.text = text;
    }

    /**
     * A pattern.
     *
     * @param parts that it has with its repetitions written out
     */
    record Sized(Pattern pattern, long parts) {}

    /** @throws PatternSyntaxException if the text is no pattern of RE2, or a larger one than filters may use */
    static Sized compile(String text) {
        Patterns parsed = new Patterns(text);
        parsed.requireModest();
        return new Sized(Pattern.compile(text), parsed.group + parsed.last);
    }

    /** Counts without deciding whether the pattern is good: of what is not, the compiler will say so. */
    private void requireModest() {
        while (at < text.length()) {
            switch (text.charAt(at++)) {
                case '(' -> {
                    open.push(group + last);
                    group = 0;
                    last = 1;
                }
                case ')' -> {
                    last += group;
                    group = open.isEmpty() ? 0 : open.pop();
                }
                case '[' -> {
                    skipClass();
                    part(1);
                }
                case '\\' -> {
                    if (text.startsWith("Q", at)) {
                        int end = text.indexOf("\\E", at);
                        int until = end < 0 ? text.length() : end;
                        part(until - at);
                        at = Math.min(text.length(), until + 2);
                    } else {
                        at++;
                        part(1);
                    }
                }
                case '{' -> last = repeated(last);
                default -> part(1);
            }
            if (open.size() > MAX_DEPTH) {
                throw refused("has groups nested more than " + MAX_DEPTH + " deep");
            }
            if (group + last > MAX_PARTS) {
                throw refused("comes to more than " + MAX_PARTS + " parts with its repetitions written out");
            }
        }
    }

    private void part(int size) {
        group += last;
        last = size;
    }

    /** Behind the end of a class that began before. */
    private void skipClass() {
        if (text.startsWith("^", at)) {
            at++;
        }
        if (text.startsWith("]", at)) {
            at++;
        }
        while (at < text.length() && text.charAt(at) != ']') {
            int named = text.startsWith("[:", at) ? text.indexOf(":]", at + 2) : -1;
            at = named >= 0 ? named + 2 : text.charAt(at) == '\\' ? at + 2 : at + 1;
        }
        at++;
    }

    /** The size of a part with the repetition that begins before {@code at}, which is read. */
    private long repeated(long size) {
        int end = text.indexOf('}', at);
        String counts = end < 0 ? "" : text.substring(at, end);
        if (!counts.matches("[0-9]{1,4}(,[0-9]{0,4})?")) {
            // A brace that counts nothing, or too much for the compiler.
            return size + 1;
        }
        at = end + 1;
        long most = 1;
        for (String count : counts.split(",")) {
            most = Math.max(most, Integer.parseInt(count));
        }
        return size * most;
    }

    private PatternSyntaxException refused(String why) {
        return new PatternSyntaxException("the pattern " + why, Filters.shown(text));
    }
}
