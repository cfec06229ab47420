package org.anabranch.filter;

import org.projectnessie.cel.common.types.Err;
import org.projectnessie.cel.common.types.StringT;
import org.projectnessie.cel.common.types.ref.Val;
import org.projectnessie.cel.interpreter.Activation;
import org.projectnessie.cel.interpreter.Interpretable;

/** A call on two texts, in the place of the library's, which takes steps by how long they are. */
abstract class TextSearch implements Interpretable {

    private final InterpretableCall call;

    TextSearch(InterpretableCall call) {
        this.call = call;
    }

    /** Whether something planned is a call of this function on two values. */
    static boolean isCall(Interpretable planned, String function) {
        return planned instanceof InterpretableCall call && call.function().equals(function) && call.args().length == 2;
    }

    /** What the call gives for its texts, after taking what that may cost. */
    abstract Val search(String in, String wanted, Steps steps);

    @Override
    public final long id() {
        return call.id();
    }

    @Override
    public final Val eval(Activation variables) {
        Val in = call.args()[0].eval(variables);
        if (!(in instanceof StringT)) {
            return Err.maybeNoSuchOverloadErr(in);
        }
        Val wanted = call.args()[1].eval(variables);
        if (!(wanted instanceof StringT)) {
            return Err.maybeNoSuchOverloadErr(wanted);
        }
        return search((String) in.value(), (String) wanted.value(), Steps.of(variables));
    }
}
