package org.anabranch.filter;

import com.google.api.expr.v1alpha1.Constant.ConstantKindCase;
import com.google.api.expr.v1alpha1.Expr;
import com.google.api.expr.v1alpha1.Expr.ExprKindCase;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.BiPredicate;

/**
 * Finds the keys outside of which a filter is false. Knows the shapes that clients send: equality and prefix of
 * {@code encodedKey} and {@code namespace}, the number of elements, and their combination.
 *
 * <p>Outside of the scope of one side, {@code a && b} is false even where the other side fails, and outside of both scopes
 * {@code a || b} is false: so a listing that skips what is outside gives the same result and the same refusals.
 */
final class KeyScopes {

    private final BiPredicate<Expr, String> isField;

    private KeyScopes(BiPredicate<Expr, String> isField) {
        this.isField = isField;
    }

    /** @param variable the one with the key's fields */
    static KeyScopes ofFields(String variable) {
        return new KeyScopes((expr, field) -> isFieldOf(variable, expr, field));
    }

    /** @param variable that is the key itself, as the field {@code encodedKey} gives it */
    static KeyScopes ofKey(String variable) {
        return new KeyScopes((expr, field) -> field.equals("encodedKey") && isVariable(variable, expr));
    }

    KeyScope of(Expr filter) {
        if (filter.getExprKindCase() != ExprKindCase.CALL_EXPR) {
            return KeyScope.ALL;
        }
        Expr.Call call = filter.getCallExpr();
        return switch (call.getFunction()) {
            case "_&&_" -> both(of(call.getArgs(0)), of(call.getArgs(1)));
            case "_||_" -> either(of(call.getArgs(0)), of(call.getArgs(1)));
            case "_==_" -> both(equal(call.getArgs(0), call.getArgs(1)), equal(call.getArgs(1), call.getArgs(0)));
            case "startsWith" -> startsWith(call);
            default -> KeyScope.ALL;
        };
    }

    private KeyScope equal(Expr one, Expr other) {
        Optional<String> text = text(other);
        if (text.isPresent() && isField(one, "encodedKey")) {
            List<String> elements = elements(text.get());
            return new KeyScope(elements, elements.size());
        }
        if (text.isPresent() && isField(one, "namespace")) {
            List<String> elements = text.get().isEmpty() ? List.of() : elements(text.get());
            return new KeyScope(elements, elements.size() + 1);
        }
        if (other.getConstExpr().getConstantKindCase() == ConstantKindCase.INT64_VALUE) {
            // Past any key's number of elements an int could overflow, and nothing is bounded anyway.
            long size = Math.clamp(other.getConstExpr().getInt64Value(), 0, 1_000);
            if (isSizeOf(one, "keyElements")) {
                return new KeyScope(List.of(), (int) size);
            }
            if (isSizeOf(one, "namespaceElements")) {
                return new KeyScope(List.of(), (int) size + 1);
            }
        }
        return KeyScope.ALL;
    }

    private KeyScope startsWith(Expr.Call call) {
        boolean bounds = isField(call.getTarget(), "encodedKey") || isField(call.getTarget(), "namespace");
        if (!bounds || call.getArgsCount() != 1) {
            return KeyScope.ALL;
        }
        // What follows the last dot may be a part of an element only.
        List<String> elements = text(call.getArgs(0)).map(KeyScopes::elements).orElse(List.of(""));
        return new KeyScope(elements.subList(0, elements.size() - 1), Integer.MAX_VALUE);
    }

    private boolean isSizeOf(Expr expr, String field) {
        if (expr.getExprKindCase() != ExprKindCase.CALL_EXPR
                || !expr.getCallExpr().getFunction().equals("size")) {
            return false;
        }
        Expr.Call call = expr.getCallExpr();
        return call.hasTarget()
                ? call.getArgsCount() == 0 && isField(call.getTarget(), field)
                : call.getArgsCount() == 1 && isField(call.getArgs(0), field);
    }

    private boolean isField(Expr expr, String field) {
        return isField.test(expr, field);
    }

    private static boolean isFieldOf(String variable, Expr expr, String field) {
        Expr.Select select = expr.getSelectExpr();
        return expr.getExprKindCase() == ExprKindCase.SELECT_EXPR
                && select.getField().equals(field)
                && !select.getTestOnly()
                && isVariable(variable, select.getOperand());
    }

    private static boolean isVariable(String variable, Expr expr) {
        return expr.getExprKindCase() == ExprKindCase.IDENT_EXPR
                && expr.getIdentExpr().getName().equals(variable);
    }

    /**
     * The elements of a key in its legacy form. No exact inverse is needed of what no key encodes to: its elements are such
     * that no key has them, or a filter that matches nothing is bounded in vain.
     */
    private static List<String> elements(String encoded) {
        return Arrays.stream(encoded.split("\\.", -1))
                .map(element -> element.replace('\u001d', '.'))
                .toList();
    }

    private static Optional<String> text(Expr expr) {
        return expr.getConstExpr().getConstantKindCase() == ConstantKindCase.STRING_VALUE
                ? Optional.of(expr.getConstExpr().getStringValue())
                : Optional.empty();
    }

    /** A scope that holds what lies in both; where they exclude each other, either serves. */
    static KeyScope both(KeyScope one, KeyScope other) {
        List<String> longer = one.prefix().size() >= other.prefix().size() ? one.prefix() : other.prefix();
        return new KeyScope(longer, Math.min(one.maxElements(), other.maxElements()));
    }

    private static KeyScope either(KeyScope one, KeyScope other) {
        List<String> common = new ArrayList<>();
        for (int i = 0; i < Math.min(one.prefix().size(), other.prefix().size()); i++) {
            if (!one.prefix().get(i).equals(other.prefix().get(i))) {
                break;
            }
            common.add(one.prefix().get(i));
        }
        return new KeyScope(common, Math.max(one.maxElements(), other.maxElements()));
    }
}
