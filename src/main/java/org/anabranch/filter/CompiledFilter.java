package org.anabranch.filter;

import java.util.function.BiFunction;
import java.util.function.Function;
import org.anabranch.model.RefusedException;
import org.jspecify.annotations.Nullable;
import org.projectnessie.cel.Program;
import org.projectnessie.cel.common.types.BoolT;
import org.projectnessie.cel.common.types.Err;
import org.projectnessie.cel.common.types.ref.Val;

/** A filter as the library runs it. */
record CompiledFilter<T>(
        String text, Program program, int maxSteps, BiFunction<T, String, @Nullable Object> variables, KeyScope scope)
        implements Filter<T> {

    @Override
    public boolean test(T object) {
        Steps steps = new Steps(maxSteps);
        Function<String, @Nullable Object> named =
                name -> name.equals(Steps.NAME) ? steps : variables.apply(object, name);
        Val result;
        try {
            result = program.eval(named).getVal();
        } catch (RuntimeException e) {
            // The library throws some errors of evaluation and returns others.
            throw failed(String.valueOf(e.getMessage()));
        }
        if (result instanceof BoolT) {
            return result.booleanValue();
        }
        throw failed(
                result instanceof Err error
                        ? described(error)
                        : "it gives a " + result.type().typeName() + " where a bool is needed");
    }

    private static String described(Err error) {
        return error.hasCause() ? String.valueOf(error.getCause().getMessage()) : error.toString();
    }

    private RefusedException failed(String why) {
        return RefusedException.badRequest("Filter '" + Filters.shown(text) + "' failed: " + why);
    }
}
