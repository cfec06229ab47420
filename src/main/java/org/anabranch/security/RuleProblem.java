package org.anabranch.security;

import java.util.Comparator;

/**
 * Something in a file of rules that cannot stay as it is.
 *
 * @param line from 1
 * @param column from 1
 * @param sentence what is wrong, and what to do
 */
public record RuleProblem(int line, int column, String sentence) {

    static final Comparator<RuleProblem> ORDER =
            Comparator.comparingInt(RuleProblem::line).thenComparingInt(RuleProblem::column);

    @Override
    public String toString() {
        return "line " + line + ", column " + column + ": " + sentence;
    }
}
