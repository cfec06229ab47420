package org.anabranch.filter;

import com.google.re2j.PatternSyntaxException;
import org.jspecify.annotations.Nullable;
import org.projectnessie.cel.common.types.Err;
import org.projectnessie.cel.common.types.Types;
import org.projectnessie.cel.common.types.ref.Val;
import org.projectnessie.cel.interpreter.Interpretable;

/**
 * {@code text.matches(pattern)} by RE2, as the language demands: whether the pattern matches anywhere in the text, in time
 * linear in it. The library's own call backtracks, so that one short filter could hold a thread for ever.
 */
final class LinearMatch extends TextSearch {

    private static final int TRIES_PER_STEP = 100;

    /** Of a pattern that is a literal. */
    private final Patterns.@Nullable Sized compiled;

    private LinearMatch(InterpretableCall call) {
        super(call);
        this.compiled = call.args()[1] instanceof InterpretableConst constant
                ? Patterns.compile((String) constant.value().value())
                : null;
    }

    /**
     * Puts itself in the place of the library's call.
     *
     * @throws PatternSyntaxException if the pattern is a literal, and not of RE2 or too large
     */
    static Interpretable decorate(Interpretable planned) {
        return isCall(planned, "matches") ? new LinearMatch((InterpretableCall) planned) : planned;
    }

    @Override
    Val search(String in, String pattern, Steps steps) {
        if (compiled != null) {
            return found(compiled, in, steps);
        }
        try {
            Patterns.Sized late = Patterns.compile(pattern);
            steps.take(late.parts());
            return found(late, in, steps);
        } catch (PatternSyntaxException e) {
            return Err.newErr(e, "%s", e.getMessage());
        }
    }

    /** At worst, each part of the pattern is tried at each place of the text. */
    private static Val found(Patterns.Sized pattern, String in, Steps steps) {
        steps.take(pattern.parts() * in.length() / TRIES_PER_STEP);
        return Types.boolOf(pattern.pattern().matcher(in).find());
    }
}
