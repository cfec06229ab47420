package org.anabranch.security;

import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.anabranch.model.ContentKey;
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
}
