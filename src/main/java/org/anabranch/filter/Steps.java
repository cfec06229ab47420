package org.anabranch.filter;

import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.projectnessie.cel.common.types.Err;
import org.projectnessie.cel.common.types.ref.Val;
import org.projectnessie.cel.common.types.traits.Sizer;
import org.projectnessie.cel.interpreter.Activation;
import org.projectnessie.cel.interpreter.Interpretable;
import org.projectnessie.cel.interpreter.Interpretable.InterpretableAttribute;
import org.projectnessie.cel.interpreter.Interpretable.InterpretableCall;
import org.projectnessie.cel.interpreter.Interpretable.InterpretableConst;

/**
 * The steps that one evaluation takes, counted because the library has no bound of its own and loops in loops multiply. For one
 * thread.
 */
final class Steps {

    /** The variable under which an evaluation finds its steps; not a name that a filter can write. */
    static final String NAME = "#steps";

    /** Most steps take a tenth of a microsecond, and to ask a clock costs half of that. */
    private static final int STEPS_BETWEEN_LOOKS = 16;

    private final int limit;
    private final FilterPurpose purpose;
    private final Runnable timeLimit;
    private int taken;
    private int looks;
    private @Nullable Object failure;
    private long failedAt;

    /** @param timeLimit called now and then; throws when there is no time left */
    Steps(int limit, FilterPurpose purpose, Runnable timeLimit) {
        this.limit = limit;
        this.purpose = purpose;
        this.timeLimit = timeLimit;
    }

    /** The steps of an evaluation. */
    static Steps of(Activation variables) {
        return (Steps) variables.resolveName(NAME).value();
    }

    /** The step that an error or exception came from first: the innermost one, as both are handed on outwards. */
    OptionalLong origin(Object error) {
        return error == failure ? OptionalLong.of(failedAt) : OptionalLong.empty();
    }

    private void noteFailure(Object error, long step) {
        if (error != failure) {
            failure = error;
            failedAt = step;
        }
    }

    void take(long count) {
        if (count > limit - taken) {
            throw new IllegalStateException("it takes more than " + limit + " steps on one object: loop over less"
                    + purpose.otherThanFewerSteps());
        }
        taken += (int) count;
        if (++looks == STEPS_BETWEEN_LOOKS) {
            looks = 0;
            timeLimit.run();
        }
    }

    /** Makes what can cost something count its evaluations. */
    static Interpretable decorate(Interpretable planned) {
        // The library looks into constants and attributes, and both are part of the step that uses them.
        return planned instanceof InterpretableConst || planned instanceof InterpretableAttribute
                ? planned
                : new Counted(
                        planned,
                        planned instanceof InterpretableCall call
                                && call.function().equals("_+_"));
    }

    private record Counted(Interpretable planned, boolean copies) implements Interpretable {

        @Override
        public long id() {
            return planned.id();
        }

        @Override
        public Val eval(Activation variables) {
            Steps steps = Steps.of(variables);
            try {
                Val result = counted(steps, variables);
                if (result instanceof Err) {
                    steps.noteFailure(result, id());
                }
                return result;
            } catch (RuntimeException e) {
                steps.noteFailure(e, id());
                throw e;
            }
        }

        private Val counted(Steps steps, Activation variables) {
            steps.take(1);
            Val result = planned.eval(variables);
            if (copies && result instanceof Sizer sized) {
                steps.take(sized.size().intValue());
            }
            return result;
        }
    }
}
