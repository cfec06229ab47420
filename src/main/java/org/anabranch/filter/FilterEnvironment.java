package org.anabranch.filter;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.google.api.expr.v1alpha1.CheckedExpr;
import com.google.api.expr.v1alpha1.Decl;
import com.google.api.expr.v1alpha1.Expr;
import com.google.api.expr.v1alpha1.Type;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.anabranch.model.RefusedException;
import org.jspecify.annotations.Nullable;
import org.projectnessie.cel.Ast;
import org.projectnessie.cel.CEL;
import org.projectnessie.cel.Env;
import org.projectnessie.cel.Env.AstIssuesTuple;
import org.projectnessie.cel.EnvOption;
import org.projectnessie.cel.Library;
import org.projectnessie.cel.Program;
import org.projectnessie.cel.ProgramOption;
import org.projectnessie.cel.checker.Checker;
import org.projectnessie.cel.checker.Decls;
import org.projectnessie.cel.common.CELError;
import org.projectnessie.cel.common.Location;

/** The filters of one endpoint: the variables they may use, and the compiled ones. */
final class FilterEnvironment<T> {

    private static final int MAX_CACHED = 250;
    /** A tree of this depth is compiled and evaluated well within half a megabyte of stack. */
    private static final int MAX_DEPTH = 100;

    private static final int MAX_NESTED_LOOPS = 2;

    private static final Set<String> FUNCTIONS = Checker.StandardDeclarations.stream()
            .filter(Decl::hasFunction)
            .map(Decl::getName)
            .collect(Collectors.toUnmodifiableSet());

    private final List<Decl> declarations;
    private final Set<String> texts;
    private final BiFunction<T, String, @Nullable Object> variables;
    private final Function<Expr, KeyScope> scopes;
    private final FilterLimits limits;
    private final FilterPurpose purpose;
    private final Cache<String, Filter<T>> compiled =
            Caffeine.newBuilder().maximumSize(MAX_CACHED).build();

    /**
     * @param types of the variables, by name
     * @param variables their values for an object
     */
    FilterEnvironment(
            Map<String, Type> types,
            BiFunction<T, String, @Nullable Object> variables,
            Function<Expr, KeyScope> scopes,
            FilterLimits limits,
            FilterPurpose purpose) {
        this.declarations = types.entrySet().stream()
                .map(variable -> Decls.newVar(variable.getKey(), variable.getValue()))
                .toList();
        this.texts = types.entrySet().stream()
                .filter(variable -> variable.getValue().equals(Decls.String))
                .map(Map.Entry::getKey)
                .collect(Collectors.toUnmodifiableSet());
        this.variables = variables;
        this.scopes = scopes;
        this.limits = limits;
        this.purpose = purpose;
    }

    Filter<T> filter(String text) {
        if (text.isEmpty()) {
            return new EverythingFilter<>();
        }
        if (text.isBlank()) {
            throw RefusedException.badRequest("Filter must not be blank: leave it out to get everything");
        }
        if (text.length() > limits.length()) {
            throw RefusedException.badRequest("Filter has " + text.length() + " characters, the limit is "
                    + limits.length() + ": use a shorter one, or raise anabranch.limits.filter-length");
        }
        return compiled.get(text, this::compile);
    }

    /**
     * A part of an expression that is true if all of its parts are.
     *
     * @param names of variables that it may use
     */
    record Conjunct<T>(Filter<T> filter, Set<String> names) {}

    /** The sides of the outermost conjunctions of an expression, each for itself: one side alone if it is none. Not cached. */
    List<Conjunct<T>> conjuncts(String text) {
        Env env = environment();
        Ast parsed = parse(env, text);
        CheckedExpr checked = CEL.astToCheckedExpr(check(env, text, parsed));
        List<Conjunct<T>> conjuncts = new ArrayList<>();
        Deque<Expr> sides = new ArrayDeque<>(List.of(checked.getExpr()));
        while (!sides.isEmpty()) {
            Expr side = sides.pop();
            if (side.getCallExpr().getFunction().equals("_&&_")) {
                sides.push(side.getCallExpr().getArgs(1));
                sides.push(side.getCallExpr().getArgs(0));
            } else {
                Ast alone =
                        CEL.checkedExprToAst(checked.toBuilder().setExpr(side).build());
                Filter<T> filter = TextTest.of(side, texts, variables, scopes.apply(side))
                        .orElseGet(() -> runnable(env, text, parsed, alone));
                conjuncts.add(new Conjunct<>(filter, names(side)));
            }
        }
        return conjuncts;
    }

    private Filter<T> compile(String text) {
        Env env = environment();
        Ast parsed = parse(env, text);
        return runnable(env, text, parsed, check(env, text, parsed));
    }

    private Env environment() {
        return Env.newCustomEnv(CelTypes.INSTANCE, List.of(Library.StdLib(), EnvOption.declarations(declarations)));
    }

    private Ast check(Env env, String text, Ast parsed) {
        requireModest(text, parsed);
        try {
            Ast checked = requireNoIssues(text, env.check(parsed));
            Type type = checked.getResultType();
            if (!type.equals(Decls.Bool) && !type.equals(Decls.Dyn)) {
                throw refused(text, "it gives no bool");
            }
            return checked;
        } catch (RefusedException e) {
            throw e;
        } catch (RuntimeException e) {
            throw refused(text, firstLine(e));
        }
    }

    /** @param parsed the whole that {@code checked} is or is a part of */
    private Filter<T> runnable(Env env, String text, Ast parsed, Ast checked) {
        Program program;
        try {
            program = env.program(
                    checked,
                    ProgramOption.customDecorator(
                            planned -> Steps.decorate(CountedContains.decorate(LinearMatch.decorate(planned)))));
        } catch (RuntimeException e) {
            // The library reports most issues and throws the rest, such as patterns that are not good.
            throw refused(text, firstLine(e));
        }
        return new CompiledFilter<>(
                text,
                purpose,
                program,
                limits.steps(),
                variables,
                scopes.apply(checked.getExpr()),
                (step, issue) -> placed(parsed, step, issue),
                () -> {});
    }

    /** Those of loops are among them. */
    private static Set<String> names(Expr expr) {
        Set<String> names = new TreeSet<>();
        Deque<Expr> todo = new ArrayDeque<>(List.of(expr));
        while (!todo.isEmpty()) {
            Expr at = todo.pop();
            if (at.hasIdentExpr()) {
                names.add(at.getIdentExpr().getName());
            }
            children(at).forEach(todo::push);
        }
        return names;
    }

    private Ast parse(Env env, String text) {
        try {
            Syntax.require(text);
            return requireNoIssues(text, env.parse(text));
        } catch (Syntax.Wrong e) {
            throw refused(text, String.valueOf(e.getMessage()));
        } catch (StackOverflowError e) {
            // Long chains of operators are nested trees, and the parsers, which have no limit for them, build them
            // recursively.
            throw tooDeep(text);
        } catch (RefusedException e) {
            throw e;
        } catch (RuntimeException e) {
            throw refused(text, "it cannot be parsed");
        }
    }

    private Ast requireNoIssues(String text, AstIssuesTuple result) {
        if (result.hasIssues()) {
            throw refused(
                    text,
                    result.getIssues().getErrors().stream()
                            .map(FilterEnvironment::described)
                            .collect(Collectors.joining("; ")));
        }
        return result.getAst();
    }

    private static String described(CELError error) {
        return described(error.getLocation(), error.getMessage());
    }

    private static String placed(Ast parsed, long expression, String issue) {
        int offset = parsed.getSourceInfo().getPositionsOrDefault(expression, 0);
        return described(parsed.getSource().offsetLocation(offset), issue);
    }

    private static String described(Location location, String issue) {
        return location.line() < 1
                ? issue
                : "line " + location.line() + ", column " + (location.column() + 1) + ": " + issue;
    }

    /**
     * Bounds what one filter can cost, the depth of its tree and loops in loops, and refuses functions that are not of the
     * language, for which the library has no message. Walks without recursion.
     */
    private void requireModest(String text, Ast parsed) {
        record Visit(Expr expr, int depth, int loops) {}
        Deque<Visit> todo = new ArrayDeque<>(List.of(new Visit(parsed.getExpr(), 1, 0)));
        while (!todo.isEmpty()) {
            Visit at = todo.pop();
            if (at.depth > MAX_DEPTH) {
                throw tooDeep(text);
            }
            if (at.loops > MAX_NESTED_LOOPS) {
                throw refused(text, "it has more than " + MAX_NESTED_LOOPS + " nested loops (all, exists, map, ...)");
            }
            String function = at.expr.getCallExpr().getFunction();
            if (at.expr.hasCallExpr() && !FUNCTIONS.contains(function)) {
                throw refused(text, placed(parsed, at.expr.getId(), "undeclared function '" + function + "'"));
            }
            // What is looped over is evaluated once.
            Expr once = at.expr.getComprehensionExpr().getIterRange();
            int loops = at.loops + (at.expr.hasComprehensionExpr() ? 1 : 0);
            children(at.expr)
                    .forEach(child -> todo.push(new Visit(child, at.depth + 1, child == once ? at.loops : loops)));
        }
    }

    private static List<Expr> children(Expr expr) {
        return switch (expr.getExprKindCase()) {
            case SELECT_EXPR -> List.of(expr.getSelectExpr().getOperand());
            case CALL_EXPR -> {
                Expr.Call call = expr.getCallExpr();
                yield call.hasTarget()
                        ? Stream.concat(Stream.of(call.getTarget()), call.getArgsList().stream())
                                .toList()
                        : call.getArgsList();
            }
            case LIST_EXPR -> expr.getListExpr().getElementsList();
            case STRUCT_EXPR ->
                expr.getStructExpr().getEntriesList().stream()
                        .flatMap(entry -> Stream.of(entry.getMapKey(), entry.getValue()))
                        .toList();
            case COMPREHENSION_EXPR -> {
                Expr.Comprehension loop = expr.getComprehensionExpr();
                yield List.of(
                        loop.getIterRange(),
                        loop.getAccuInit(),
                        loop.getLoopCondition(),
                        loop.getLoopStep(),
                        loop.getResult());
            }
            case CONST_EXPR, IDENT_EXPR, EXPRKIND_NOT_SET -> List.of();
        };
    }

    private RefusedException tooDeep(String text) {
        return refused(text, "it is nested more than " + MAX_DEPTH + " levels deep: use 'in [...]' or fewer operators");
    }

    private RefusedException refused(String text, String why) {
        return RefusedException.badRequest(purpose.noun() + " '" + Filters.shown(text) + "' is not valid: " + why);
    }

    private static String firstLine(RuntimeException e) {
        return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    }
}
