package org.anabranch.filter;

import com.google.api.expr.v1alpha1.Constant.ConstantKindCase;
import com.google.api.expr.v1alpha1.Expr;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * A filter that compares one variable, a text, with literals: what conditions of rules mostly are, without the steps of the language
 * around it, of which a single one costs more than the comparison.
 */
record TextTest<T>(BiFunction<T, String, ?> variables, String variable, Predicate<String> test, KeyScope scope)
        implements Filter<T> {

    @Override
    public boolean test(T object) {
        return test.test((String) variables.apply(object, variable));
    }

    /** It takes no time. */
    @Override
    public Filter<T> limited(Runnable timeLimit) {
        return this;
    }

    /**
     * The same as an expression in this form; empty if it is of another.
     *
     * @param texts the variables that are texts
     */
    static <T> Optional<Filter<T>> of(
            Expr expr, Set<String> texts, BiFunction<T, String, ?> variables, KeyScope scope) {
        Expr.Call call = expr.getCallExpr();
        return switch (call.getFunction()) {
            case "startsWith" -> method(call, texts, text -> value -> value.startsWith(text), variables, scope);
            case "endsWith" -> method(call, texts, text -> value -> value.endsWith(text), variables, scope);
            case "contains" -> method(call, texts, text -> value -> value.contains(text), variables, scope);
            case "_==_" -> comparison(call, texts, text -> text::equals, variables, scope);
            case "_!=_" -> comparison(call, texts, text -> value -> !value.equals(text), variables, scope);
            case "@in" -> membership(call, texts, variables, scope);
            default -> Optional.empty();
        };
    }

    private static <T> Optional<Filter<T>> method(
            Expr.Call call,
            Set<String> texts,
            Function<String, Predicate<String>> test,
            BiFunction<T, String, ?> variables,
            KeyScope scope) {
        return call.hasTarget() && call.getArgsCount() == 1
                ? test(call.getTarget(), call.getArgs(0), texts, test, variables, scope)
                : Optional.empty();
    }

    private static <T> Optional<Filter<T>> comparison(
            Expr.Call call,
            Set<String> texts,
            Function<String, Predicate<String>> test,
            BiFunction<T, String, ?> variables,
            KeyScope scope) {
        Optional<Filter<T>> inOrder = test(call.getArgs(0), call.getArgs(1), texts, test, variables, scope);
        return inOrder.isPresent() ? inOrder : test(call.getArgs(1), call.getArgs(0), texts, test, variables, scope);
    }

    private static <T> Optional<Filter<T>> test(
            Expr variable,
            Expr literal,
            Set<String> texts,
            Function<String, Predicate<String>> test,
            BiFunction<T, String, ?> variables,
            KeyScope scope) {
        return isText(variable, texts) && isLiteral(literal)
                ? Optional.of(new TextTest<>(
                        variables,
                        variable.getIdentExpr().getName(),
                        test.apply(literal.getConstExpr().getStringValue()),
                        scope))
                : Optional.empty();
    }

    private static <T> Optional<Filter<T>> membership(
            Expr.Call call, Set<String> texts, BiFunction<T, String, ?> variables, KeyScope scope) {
        List<Expr> elements = call.getArgs(1).getListExpr().getElementsList();
        return call.getArgs(1).hasListExpr()
                        && isText(call.getArgs(0), texts)
                        && elements.stream().allMatch(TextTest::isLiteral)
                ? Optional.of(new TextTest<>(
                        variables,
                        call.getArgs(0).getIdentExpr().getName(),
                        elements.stream()
                                .map(element -> element.getConstExpr().getStringValue())
                                .collect(Collectors.toUnmodifiableSet())::contains,
                        scope))
                : Optional.empty();
    }

    private static boolean isText(Expr expr, Set<String> texts) {
        return expr.hasIdentExpr() && texts.contains(expr.getIdentExpr().getName());
    }

    private static boolean isLiteral(Expr expr) {
        return expr.getConstExpr().getConstantKindCase() == ConstantKindCase.STRING_VALUE;
    }
}
