package org.anabranch.security;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.anabranch.model.ContentType;
import org.anabranch.security.Check.Scope;
import org.anabranch.security.Rule.Effect;

/** Some rules, in no order: what one of them denies is denied, and what none allows is denied too. Immutable. */
public final class RuleSet implements Policy {

    /** Callers that the rules tell apart, whose rules are kept at hand. */
    private static final int MOST_CALLERS = 1_000;

    /** Patterns of keys, in all that is compiled and kept: about a hundred bytes each. */
    private static final int MOST_PATTERNS = 500_000;

    private final List<Rule> rules;
    private final RuleIndex index;
    private final Cache<Principal, CallerRules> callers =
            Caffeine.newBuilder().maximumSize(MOST_CALLERS).build();
    private final Cache<CallerRules.Key, ReferenceRules> compiled = Caffeine.newBuilder()
            .maximumWeight(MOST_PATTERNS)
            .weigher((CallerRules.Key key, ReferenceRules value) -> value.weight())
            .build();

    public RuleSet(List<Rule> rules) {
        this.rules = List.copyOf(rules);
        this.index = new RuleIndex(this.rules);
    }

    /** In the order in which they were given. */
    public List<Rule> rules() {
        return rules;
    }

    @Override
    public Access of(Principal caller) {
        Principal relevant = index.relevant(caller);
        return new RuledAccess(
                caller, callers.get(relevant, each -> new CallerRules(each, index, index.concerning(each), compiled)));
    }

    /**
     * What the rules say to a question and to those that it implies, which come first: all must be allowed. For people: it walks all
     * rules.
     */
    public List<Decision> explain(Principal caller, Question question) {
        return question.withImplied().stream().map(each -> decide(caller, each)).toList();
    }

    /** The rules that would allow something but for one thing, with that. */
    public List<String> nearest(Principal caller, Question question) {
        List<String> near = new ArrayList<>();
        for (Rule rule : rules) {
            if (rule.effect() == Effect.ALLOW && rule.isAbout(question.check(), question.via())) {
                List<String> objections = rule.objections(caller, question);
                if (objections.size() == 1) {
                    near.add(rule.name() + ": " + rule + ", but " + objections.get(0));
                }
            }
        }
        return near;
    }

    /** What the rules say to one question alone. */
    private Decision decide(Principal caller, Question question) {
        if (question.check().scope() == Scope.KEY && question.type() == null) {
            List<Decision> ofTypes = Arrays.stream(ContentType.values())
                    .map(type -> decide(caller, question.withType(type)))
                    .toList();
            Decision deciding =
                    ofTypes.stream().filter(Decision::allowed).findFirst().orElse(ofTypes.get(0));
            return new Decision(question, deciding.allowed(), deciding.rule());
        }
        Optional<Rule> denying = find(caller, question, Effect.DENY);
        Optional<Rule> deciding = denying.isPresent() ? denying : find(caller, question, Effect.ALLOW);
        return new Decision(question, denying.isEmpty() && deciding.isPresent(), deciding.orElse(null));
    }

    private Optional<Rule> find(Principal caller, Question question, Effect effect) {
        return rules.stream()
                .filter(rule -> rule.effect() == effect
                        && rule.concerns(caller)
                        && rule.isAbout(question.check(), question.via())
                        && rule.isAbout(question)
                        && rule.holds(caller, question))
                .findFirst();
    }
}
