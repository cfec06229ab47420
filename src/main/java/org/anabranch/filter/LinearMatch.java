package org.anabranch.filter;

import com.google.re2j.PatternSyntaxException;
import org.jspecify.annotations.Nullable;
import org.projectnessie.cel.common.types.Err;
import org.projectnessie.cel.common.types.StringT;
import org.projectnessie.cel.common.types.Types;
import org.projectnessie.cel.common.types.ref.Val;
import org.projectnessie.cel.interpreter.Activation;
import org.projectnessie.cel.interpreter.Interpretable;
import org.projectnessie.cel.interpreter.Interpretable.InterpretableCall;
import org.projectnessie.cel.interpreter.Interpretable.InterpretableConst;

/**
 * {@code text.matches(pattern)} by RE2, as the language demands: whether the pattern matches anywhere in the text, in time
 * linear in it. The library's own call backtracks, so that one short filter could hold a thread for ever.
 */
final class LinearMatch implements Interpretable {

    private static final int TRIES_PER_STEP = 100;

    private final InterpretableCall call;
    private final Interpretable text;
    private final Interpretable pattern;
    private final Patterns.@Nullable Sized compiled;

    private LinearMatch(InterpretableCall call) {
        this.call = call;
        this.text = call.args()[0];
        this.pattern = call.args()[1];
        this.compiled = pattern instanceof InterpretableConst constant
                ? Patterns.compile((String) constant.value().value())
                : null;
    }

    /**
     * Puts itself in the place of the library's call.
     *
     * @throws PatternSyntaxException if the pattern is a literal, and not of RE2 or too large
     */
    static Interpretable decorate(Interpretable planned) {
        return planned instanceof InterpretableCall call && call.function().equals("matches") && call.args().length == 2
                ? new LinearMatch(call)
                : planned;
    }

    @Override
    public long id() {
        return call.id();
    }

    @Override
    public Val eval(Activation variables) {
        Val in = text.eval(variables);
        if (!(in instanceof StringT)) {
            return Err.maybeNoSuchOverloadErr(in);
        }
        Steps steps = Steps.of(variables);
        if (compiled != null) {
            return found(compiled, (String) in.value(), steps);
        }
        Val by = pattern.eval(variables);
        if (!(by instanceof StringT)) {
            return Err.maybeNoSuchOverloadErr(by);
        }
        try {
            Patterns.Sized late = Patterns.compile((String) by.value());
            steps.take(late.parts());
            return found(late, (String) in.value(), steps);
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
