package org.anabranch.filter;

import org.projectnessie.cel.common.types.Types;
import org.projectnessie.cel.common.types.ref.Val;
import org.projectnessie.cel.interpreter.Interpretable;

/** {@code text.contains(part)}, with steps for the comparisons that it may take: in long texts, very many. */
final class CountedContains extends TextSearch {

    private static final int COMPARISONS_PER_STEP = 1_000;

    private CountedContains(InterpretableCall call) {
        super(call);
    }

    /** Puts itself in the place of the library's call. */
    static Interpretable decorate(Interpretable planned) {
        return isCall(planned, "contains") ? new CountedContains((InterpretableCall) planned) : planned;
    }

    @Override
    Val search(String in, String part, Steps steps) {
        // At worst, each character of the part is compared at each place of the text.
        steps.take((long) in.length() * part.length() / COMPARISONS_PER_STEP);
        return Types.boolOf(in.contains(part));
    }
}
