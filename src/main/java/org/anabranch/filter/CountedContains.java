package org.anabranch.filter;

import org.projectnessie.cel.common.types.Err;
import org.projectnessie.cel.common.types.StringT;
import org.projectnessie.cel.common.types.Types;
import org.projectnessie.cel.common.types.ref.Val;
import org.projectnessie.cel.interpreter.Activation;
import org.projectnessie.cel.interpreter.Interpretable;

/** {@code text.contains(part)}, with steps for the comparisons that it may take: in long texts, very many. */
record CountedContains(InterpretableCall call, Interpretable text, Interpretable part) implements Interpretable {

    private static final int COMPARISONS_PER_STEP = 1_000;

    /** Puts itself in the place of the library's call. */
    static Interpretable decorate(Interpretable planned) {
        return planned instanceof InterpretableCall call
                        && call.function().equals("contains")
                        && call.args().length == 2
                ? new CountedContains(call, call.args()[0], call.args()[1])
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
        Val wanted = part.eval(variables);
        if (!(wanted instanceof StringT)) {
            return Err.maybeNoSuchOverloadErr(wanted);
        }
        String whole = (String) in.value();
        String searched = (String) wanted.value();
        // At worst, each character of the part is compared at each place of the text.
        Steps.of(variables).take((long) whole.length() * searched.length() / COMPARISONS_PER_STEP);
        return Types.boolOf(whole.contains(searched));
    }
}
