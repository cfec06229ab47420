package org.anabranch.filter;

import java.util.OptionalLong;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.anabranch.model.RefusedException;
import org.jspecify.annotations.Nullable;
import org.projectnessie.cel.Program;
import org.projectnessie.cel.common.types.BoolT;
import org.projectnessie.cel.common.types.Err;
import org.projectnessie.cel.common.types.ref.Val;

/**
 * A filter as the library runs it.
 *
 * @param placed says of a step by its id where in the text it is, and what is wrong with it
 * @param timeLimit of {@link Filter#limited}
 */
record CompiledFilter<T>(
        String text,
        FilterPurpose purpose,
        Program program,
        int maxSteps,
        BiFunction<T, String, @Nullable Object> variables,
        KeyScope scope,
        BiFunction<Long, String, String> placed,
        Runnable timeLimit)
        implements Filter<T> {

    /** What the library lets through of Java's own errors. */
    private static final Pattern CLASS = Pattern.compile("\\b([a-z]+\\.)+[A-Z]\\w+: ");

    @Override
    public boolean test(T object) {
        timeLimit.run();
        Steps steps = new Steps(maxSteps, purpose, timeLimit);
        Function<String, @Nullable Object> named =
                name -> name.equals(Steps.NAME) ? steps : variables.apply(object, name);
        Val result;
        try {
            result = program.eval(named).getVal();
        } catch (RefusedException timeIsOver) {
            throw timeIsOver;
        } catch (RuntimeException e) {
            // The library throws some errors of evaluation and returns others.
            throw failed(steps, e, String.valueOf(e.getMessage()));
        }
        if (result instanceof BoolT) {
            return result.booleanValue();
        }
        throw failed(
                steps,
                result,
                result instanceof Err error
                        ? described(error)
                        : "it gives a " + result.type().typeName() + " where a bool is needed");
    }

    @Override
    public Filter<T> limited(Runnable limit) {
        return new CompiledFilter<>(text, purpose, program, maxSteps, variables, scope, placed, limit);
    }

    private static String described(Err error) {
        return error.hasCause() ? String.valueOf(error.getCause().getMessage()) : error.toString();
    }

    private RefusedException failed(Steps steps, Object failure, String reason) {
        OptionalLong step = steps.origin(failure);
        String why = CLASS.matcher(reason).replaceAll("");
        return RefusedException.badRequest(purpose.noun() + " '" + Filters.shown(text) + "' failed: "
                + (step.isPresent() ? placed.apply(step.getAsLong(), why) : why));
    }
}
