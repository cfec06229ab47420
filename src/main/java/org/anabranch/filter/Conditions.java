package org.anabranch.filter;

import java.time.Duration;
import java.util.Map;
import org.anabranch.model.RefusedException;
import org.projectnessie.cel.checker.Decls;

/**
 * Compiles the conditions of rules: expressions over {@code op}, {@code role}, {@code roles}, {@code ref}, {@code path} and
 * {@code contentType}, in the language of {@link Filters}. Safe from many threads.
 */
public final class Conditions {

    /** Of the text, in UTF-16 code units. */
    public static final int MAX_LENGTH = 4_096;

    /** Steps of one evaluation: a condition is evaluated for keys in their thousands. */
    public static final int MAX_STEPS = 10_000;

    private final FilterEnvironment<ConditionView> environment = new FilterEnvironment<>(
            Map.of(
                    "op", Decls.String,
                    "role", Decls.String,
                    "roles", CelType.TEXTS,
                    "ref", Decls.String,
                    "path", Decls.String,
                    "contentType", Decls.String),
            ConditionView::variable,
            KeyScopes.ofKey("path")::of,
            new FilterLimits(MAX_LENGTH, MAX_STEPS, Duration.ZERO),
            FilterPurpose.CONDITION);

    /** @throws RefusedException bad request, for a text that is blank, too long or not good; it names the position in the text */
    public Condition compile(String text) {
        if (text.isBlank()) {
            throw RefusedException.badRequest("Condition must not be blank: leave it out if there is none");
        }
        if (text.length() > MAX_LENGTH) {
            throw RefusedException.badRequest("Condition has " + text.length() + " characters, the limit is "
                    + MAX_LENGTH + ": split it into several rules");
        }
        return new Condition(text, environment.conjuncts(text));
    }
}
