package org.anabranch.security;

import java.util.List;
import java.util.Set;
import org.anabranch.filter.Condition;
import org.anabranch.filter.ConditionView;
import org.anabranch.model.ContentType;
import org.anabranch.model.KeyEncoding;
import org.anabranch.security.Check.Scope;
import org.jspecify.annotations.Nullable;

/**
 * One line of the rules: whom it concerns, what it allows or denies them, and where. What is left empty leaves it open.
 *
 * @param name how decisions call it
 * @param rights never empty
 * @param roles of which a caller has one, or a name among {@code users}
 * @param condition asked of what the rest matches; null for none
 */
public record Rule(
        String name,
        Effect effect,
        Set<Right> rights,
        Set<String> roles,
        Set<String> users,
        List<ReferencePattern> references,
        List<KeyPattern> keys,
        Set<ContentType> types,
        @Nullable Condition condition) {

    /** What a rule does with what it matches. */
    public enum Effect {
        ALLOW,
        DENY
    }

    public Rule {
        rights = Set.copyOf(rights);
        roles = Set.copyOf(roles);
        users = Set.copyOf(users);
        references = List.copyOf(references);
        keys = List.copyOf(keys);
        types = Set.copyOf(types);
        if (rights.isEmpty()) {
            throw new IllegalArgumentException("A rule is about some right");
        }
    }

    boolean concerns(Principal caller) {
        return roles.isEmpty() && users.isEmpty()
                || users.contains(caller.name())
                || caller.roles().stream().anyMatch(roles::contains);
    }

    boolean isAbout(Check check, Via via) {
        return rights.stream()
                .anyMatch(right -> effect == Effect.ALLOW ? right.grants(check, via) : right.covers(check, via));
    }

    /**
     * Whether the question is of a place that the rule speaks of. Keys and types narrow what a rule says about keys; of the
     * reference that holds them an allowing rule says yes all the same, and a denying one nothing.
     */
    boolean isAbout(Question question) {
        if (question.check().scope() == Scope.REPOSITORY) {
            return references.isEmpty() && keys.isEmpty() && types.isEmpty();
        }
        if (!speaksOf(question.reference())) {
            return false;
        }
        if (question.key() == null) {
            return effect == Effect.ALLOW || keys.isEmpty() && types.isEmpty();
        }
        return (keys.isEmpty() || keys.stream().anyMatch(pattern -> pattern.test(question.key())))
                && (types.isEmpty() || question.type() != null && types.contains(question.type()));
    }

    /** Whether it says the same of every reference and key. */
    boolean isWithoutException() {
        return references.isEmpty() && keys.isEmpty() && types.isEmpty() && condition == null;
    }

    boolean speaksOf(String reference) {
        return references.isEmpty() || references.stream().anyMatch(pattern -> pattern.test(reference));
    }

    /** Whether the condition lets the rule decide. One that fails denies what its rule would deny, and allows nothing. */
    boolean holds(Principal caller, Question question) {
        return condition == null || holds(condition.test(view(caller, question)));
    }

    boolean holds(Condition.Verdict verdict) {
        return switch (verdict) {
            case TRUE -> true;
            case FALSE -> false;
            case FAILED -> effect == Effect.DENY;
        };
    }

    /** A question as the condition of this rule sees it. */
    ConditionView view(Principal caller, Question question) {
        boolean isOfPeer = rights.contains(Right.PEER);
        return new ConditionView(
                (isOfPeer ? Right.PEER.asked(question.check()) : question.check()).name(),
                caller.name(),
                List.copyOf(caller.roles()),
                question.reference(),
                question.key() == null ? "" : KeyEncoding.LEGACY.encode(question.key()),
                question.type() == null ? "" : question.type().name());
    }
}
