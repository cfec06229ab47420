package org.anabranch.security;

import java.util.List;
import java.util.stream.Collectors;

/** A text is no good file of rules: it is told of every error in it. */
public final class InvalidRulesException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient List<RuleProblem> problems;

    InvalidRulesException(List<RuleProblem> problems) {
        super(problems.stream().map(RuleProblem::toString).collect(Collectors.joining("\n")));
        this.problems = List.copyOf(problems);
    }

    /** Never empty, in the order of the file. */
    public List<RuleProblem> problems() {
        return problems;
    }
}
