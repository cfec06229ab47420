package org.anabranch.security;

import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.anabranch.model.ContentType;
import org.anabranch.security.Check.Scope;
import org.anabranch.security.Rule.Effect;

/** Some rules, in no order: what one of them denies is denied, and what none allows is denied too. Immutable. */
public final class RuleSet implements Policy {

    /** What reads ask. */
    private static final Set<Check> READING = EnumSet.of(
            Check.VIEW_REFERENCE,
            Check.READ_ENTRIES,
            Check.LIST_COMMIT_LOG,
            Check.READ_CONTENT_KEY,
            Check.READ_ENTITY_VALUE,
            Check.READ_DETACHED);

    private final List<Rule> rules;

    public RuleSet(List<Rule> rules) {
        this.rules = List.copyOf(rules);
    }

    /** In the order in which they were given. */
    public List<Rule> rules() {
        return rules;
    }

    @Override
    public Access of(Principal caller) {
        return new RuledAccess(this, caller);
    }

    /** What the rules say to one question alone. */
    Decision decide(Principal caller, Question question) {
        if (question.check().scope() == Scope.KEY && question.type() == null) {
            Decision last = null;
            for (ContentType type : ContentType.values()) {
                last = decide(caller, question.withType(type));
                if (last.allowed()) {
                    return last;
                }
            }
            return Objects.requireNonNull(last);
        }
        Optional<Rule> denying = find(caller, question, Effect.DENY);
        Optional<Rule> deciding = denying.isPresent() ? denying : find(caller, question, Effect.ALLOW);
        return new Decision(question, denying.isEmpty() && deciding.isPresent(), deciding.orElse(null));
    }

    /** Whether a caller reads everything by rules without exception, which none of the others can take away. */
    boolean readsEverything(Principal caller) {
        List<Rule> concerning =
                rules.stream().filter(rule -> rule.concerns(caller)).toList();
        return READING.stream()
                .allMatch(check -> concerning.stream()
                                .anyMatch(rule -> rule.effect() == Effect.ALLOW
                                        && rule.isWithoutException()
                                        && rule.isAbout(check, Via.COMMIT))
                        && concerning.stream()
                                .noneMatch(rule -> rule.effect() == Effect.DENY && rule.isAbout(check, Via.COMMIT)));
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
