package org.anabranch.security;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.anabranch.model.ContentKey;
import org.anabranch.model.KeyInterval;
import org.anabranch.model.VisibleKeys;
import org.anabranch.security.Check.Scope;
import org.anabranch.security.Rule.Effect;

/**
 * The rules that concern one caller and speak of one reference, or of the repository, and what they come to: each check once, when it is
 * first asked. Safe from many threads.
 */
final class ReferenceRules {

    private static final int WAYS = Via.values().length;
    private static final int QUESTIONS = Check.values().length * WAYS;

    /** In the place of a key's in the question that stands for all of them. */
    private static final ContentKey ANY = ContentKey.of("any");

    private final Principal caller;
    private final String reference;
    private final List<Rule> rules;
    private final AtomicReferenceArray<Boolean> decisions = new AtomicReferenceArray<>(QUESTIONS);
    private final AtomicReferenceArray<KeyDecisions> keyDecisions = new AtomicReferenceArray<>(QUESTIONS);
    private final Map<Set<Check>, VisibleKeys> visible = new ConcurrentHashMap<>();

    ReferenceRules(Principal caller, String reference, List<Rule> rules) {
        this.caller = caller;
        this.reference = reference;
        this.rules = rules;
    }

    /** Of what can be compiled from them, in patterns of keys. */
    int weight() {
        return 10
                + rules.size()
                + rules.stream().mapToInt(rule -> rule.keys().size()).sum();
    }

    /** Of a check that is not about keys. */
    boolean allows(Check check, Via via) {
        int at = check.ordinal() * WAYS + via.ordinal();
        Boolean decided = decisions.get(at);
        if (decided == null) {
            decided = decide(new Question(check, reference, null, null, via));
            decisions.set(at, decided);
        }
        return decided;
    }

    private boolean decide(Question question) {
        return decides(Effect.ALLOW, question) && !decides(Effect.DENY, question);
    }

    private boolean decides(Effect effect, Question question) {
        boolean isOfRepository = question.check().scope() == Scope.REPOSITORY;
        return rules.stream()
                .anyMatch(rule -> rule.effect() == effect
                        && (isOfRepository ? rule.isAboutRepository() : rule.isAboutReferences())
                        && rule.isAbout(question.check(), question.via())
                        && rule.holds(caller, question));
    }

    /** Of a check that is about keys. */
    KeyDecisions keys(Check check, Via via) {
        int at = check.ordinal() * WAYS + via.ordinal();
        KeyDecisions decided = keyDecisions.get(at);
        if (decided == null) {
            decided = new KeyDecisions(
                    caller,
                    new Question(check, reference, ANY, null, via),
                    rules.stream().filter(rule -> rule.isAbout(check, via)).toList());
            keyDecisions.set(at, decided);
        }
        return decided;
    }

    /** The keys for which all of some checks that are not about changes are answered with yes. */
    VisibleKeys visible(Set<Check> checks) {
        VisibleKeys known = visible.get(checks);
        if (known == null) {
            known = checks.stream().map(this::visible).reduce(VisibleKeys.ALL, VisibleKeys::and);
            visible.put(Set.copyOf(checks), known);
        }
        return known;
    }

    private VisibleKeys visible(Check check) {
        if (check.scope() != Scope.KEY) {
            throw new IllegalArgumentException(check + " is not about keys");
        }
        KeyDecisions keys = keys(check, Via.COMMIT);
        if (keys.showsAll(KeyInterval.ALL)) {
            return VisibleKeys.ALL;
        }
        return keys.ranges().isEmpty() ? VisibleKeys.NONE : keys;
    }
}
