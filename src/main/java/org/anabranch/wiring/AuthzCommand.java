package org.anabranch.wiring;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.anabranch.filter.Conditions;
import org.anabranch.model.ContentKey;
import org.anabranch.model.ContentType;
import org.anabranch.model.KeyEncoding;
import org.anabranch.security.Check;
import org.anabranch.security.Check.Scope;
import org.anabranch.security.Decision;
import org.anabranch.security.InvalidRulesException;
import org.anabranch.security.Principal;
import org.anabranch.security.Question;
import org.anabranch.security.Right;
import org.anabranch.security.RuleSet;
import org.anabranch.security.RulesFile;
import org.anabranch.security.Via;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** Judges a file of rules, and tells what its rules say to a question. Asks no service. */
@Command(
        name = "anabranch authz",
        description = "Checks and explains the rules of authorization, in a file that need not be in force.",
        sortOptions = false)
final class AuthzCommand {

    static final int GOOD = 0;
    static final int DENIED = 1;
    static final int BAD_INPUT = 2;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            scope = ScopeType.INHERIT,
            description = "this page")
    private boolean help;

    private AuthzCommand() {}

    /** Runs the command and returns the status that the process shall end with. */
    static int run(String[] args, PrintStream out, PrintStream err) {
        CommandLine commandLine = new CommandLine(new AuthzCommand());
        commandLine.addSubcommand("check", new CheckRules(out, err));
        commandLine.addSubcommand("explain", new Explain(out));
        try {
            CommandLine.ParseResult parsed = commandLine.parseArgs(args);
            while (parsed.hasSubcommand()) {
                parsed = parsed.subcommand();
            }
            CommandLine asked = parsed.commandSpec().commandLine();
            if (parsed.isUsageHelpRequested()) {
                asked.usage(out);
                return GOOD;
            }
            if (!(asked.getCommand() instanceof Callable<?> command)) {
                throw new ParameterException(asked, "say 'check' or 'explain'");
            }
            return (Integer) command.call();
        } catch (ParameterException e) {
            err.println("anabranch: " + e.getMessage() + " (--help lists the options)");
        } catch (CommandFailedException e) {
            err.println("anabranch: " + e.getMessage());
        } catch (Exception e) {
            err.println("anabranch: " + StartFailure.sentence(e, "the command could not run"));
        }
        return BAD_INPUT;
    }

    private static String read(Path file) {
        try {
            return ReloadedRules.read(file);
        } catch (IOException e) {
            throw new CommandFailedException(ReloadedRules.reason(file, e), e);
        }
    }

    /** Says of a file of rules whether a service would take it. */
    @Command(
            name = "check",
            description = "Says whether a file of rules is good, and of every error where it is.",
            footer = "Ends with 0 if the file is good, 1 if it is not, 2 if it cannot be read.",
            sortOptions = false)
    static final class CheckRules implements Callable<Integer> {

        @Option(names = "--rules", paramLabel = "FILE", required = true, description = "the file of rules")
        private Path rules = Path.of("");

        private final PrintStream out;
        private final PrintStream err;

        CheckRules(PrintStream out, PrintStream err) {
            this.out = out;
            this.err = err;
        }

        @Override
        public Integer call() {
            String text = read(rules);
            try {
                out.printf(
                        "The %d rules in %s are good.%n",
                        RulesFile.parse(text, new Conditions()).rules().size(), rules);
                return GOOD;
            } catch (InvalidRulesException e) {
                e.problems().forEach(problem -> err.println(rules + ": " + problem));
                return DENIED;
            }
        }
    }

    /** Says what the rules of a file decide, and which of them does. */
    @Command(
            name = "explain",
            description = "Says what the rules of a file decide, and which of them does.",
            footer = "Ends with 0 if it is allowed, 1 if it is denied, 2 if the question or the file is not good.",
            sortOptions = false)
    static final class Explain implements Callable<Integer> {

        /** Rules that come near to allowing what none does. */
        private static final int MOST_NEAR = 5;

        @Spec
        private @Nullable CommandSpec spec;

        @Option(names = "--rules", paramLabel = "FILE", required = true, description = "the file of rules")
        private Path rules = Path.of("");

        @Option(names = "--user", paramLabel = "NAME", description = "name of the caller (none)")
        private String user = "";

        @Option(names = "--role", paramLabel = "NAME", description = "a role of the caller; may be given several times")
        private List<String> roles = List.of();

        @Option(
                names = "--operation",
                paramLabel = "OPERATION",
                required = true,
                description =
                        "a right as rules name it, such as read or merge, or a single check, such as UPDATE_ENTITY")
        private String operation = "";

        @Option(names = "--ref", paramLabel = "NAME", description = "the branch or tag")
        private @Nullable String ref;

        @Option(names = "--detached", description = "in place of --ref: a commit that no reference vouches for")
        private boolean detached;

        @Option(
                names = "--key",
                paramLabel = "KEY",
                description = "the key, its elements separated by dots: sales.orders")
        private @Nullable String key;

        @Option(
                names = "--type",
                paramLabel = "TYPE",
                description = "type of the content; without it some type will do")
        private @Nullable ContentType type;

        private final PrintStream out;

        Explain(PrintStream out) {
            this.out = out;
        }

        @Override
        public Integer call() {
            Principal caller = new Principal(user, roles);
            List<Question> questions = questions();
            RuleSet set;
            try {
                set = RulesFile.parse(read(rules), new Conditions());
            } catch (InvalidRulesException e) {
                throw new CommandFailedException(ReloadedRules.reason(rules, e), e);
            }
            Set<Decision> decisions = new LinkedHashSet<>();
            questions.forEach(question -> decisions.addAll(set.explain(caller, question)));
            boolean allowed = decisions.stream().allMatch(Decision::allowed);
            out.printf("%s for %s: %s%n", allowed ? "Allowed" : "Denied", caller, operation);
            decisions.forEach(decision -> tell(set, caller, decision));
            return allowed ? GOOD : DENIED;
        }

        private void tell(RuleSet set, Principal caller, Decision decision) {
            out.printf(
                    "  %s %s%n      %s%n",
                    decision.allowed() ? "allowed" : "denied ",
                    decision.question(),
                    decision.rule() == null
                            ? "no rule allows it"
                            : decision.rule().name() + ": " + decision.rule());
            if (decision.rule() == null) {
                set.nearest(caller, decision.question()).stream()
                        .limit(MOST_NEAR)
                        .forEach(near -> out.println("      near: " + near));
            }
        }

        private List<Question> questions() {
            Optional<Check> check = Arrays.stream(Check.values())
                    .filter(each -> each.name().equals(operation))
                    .findFirst();
            if (check.isPresent()) {
                return List.of(
                        question(check.get(), check.get() == Check.MERGE_INTO_REFERENCE ? Via.MERGE : Via.COMMIT));
            }
            Right right = Right.find(operation)
                    .orElseThrow(() -> bad("--operation: '" + operation + "' is neither a right ("
                            + Right.NAMED.stream().map(Right::text).collect(Collectors.joining(", "))
                            + ") nor a check ("
                            + Arrays.stream(Check.values()).map(Check::name).collect(Collectors.joining(", ")) + ")"));
            if (right == Right.ALL) {
                throw bad("--operation: name one thing: 'all' is not done in one");
            }
            List<Question> questions = new ArrayList<>();
            for (Via via : Via.values()) {
                for (Check each : Check.values()) {
                    boolean isOfWay = via == Via.COMMIT || right == Right.MERGE || right == Right.WRITE;
                    boolean lacksKey = each.scope() == Scope.KEY && key == null && right.isPartlyOfReferences();
                    if (isOfWay && right.grants(each, via) && !lacksKey) {
                        questions.add(question(each, via));
                    }
                }
            }
            return questions;
        }

        private Question question(Check check, Via via) {
            if (check.scope() == Scope.REPOSITORY) {
                return Question.ofRepository(check);
            }
            if (detached == (ref != null)) {
                throw bad("--ref: " + check + " is asked of a branch or tag, or with --detached of none");
            }
            String reference = detached ? Question.DETACHED : ref;
            if (check.scope() == Scope.REFERENCE) {
                return Question.ofReference(check, reference, via);
            }
            if (key == null) {
                throw bad("--key: " + check + " is asked of a key, such as --key sales.orders");
            }
            try {
                ContentKey place = KeyEncoding.decode(key)
                        .orElseThrow(() -> new IllegalArgumentException("'" + key + "' names no key"));
                return Question.ofKey(check, reference, place, type, via);
            } catch (IllegalArgumentException e) {
                throw bad("--key: " + e.getMessage());
            }
        }

        private ParameterException bad(String sentence) {
            return new ParameterException(spec.commandLine(), sentence);
        }
    }
}
