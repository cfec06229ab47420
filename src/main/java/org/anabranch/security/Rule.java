package org.anabranch.security;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.anabranch.filter.Condition;
import org.anabranch.filter.ConditionView;
import org.anabranch.model.ContentKey;
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
        return switch (question.check().scope()) {
            case REPOSITORY -> isAboutRepository();
            case REFERENCE -> speaksOf(question.reference()) && isAboutReferences();
            case KEY ->
                speaksOf(question.reference())
                        && (keys.isEmpty()
                                || keys.stream().anyMatch(pattern -> pattern.test(requireNonNull(question.key()))))
                        && (types.isEmpty() || question.type() != null && types.contains(question.type()));
        };
    }

    boolean isAboutRepository() {
        return references.isEmpty() && keys.isEmpty() && types.isEmpty();
    }

    boolean isAboutReferences() {
        return effect == Effect.ALLOW || keys.isEmpty() && types.isEmpty();
    }

    /** Whether it says the same of every reference and key. */
    boolean isWithoutException() {
        return references.isEmpty() && keys.isEmpty() && types.isEmpty() && condition == null;
    }

    boolean speaksOf(String reference) {
        return references.isEmpty() || references.stream().anyMatch(pattern -> pattern.test(reference));
    }

    /** Whether the condition lets the rule decide. */
    boolean holds(Principal caller, Question question) {
        return condition == null || holds(condition.test(view(caller, question)));
    }

    /** What a condition came to, for the rule. One that fails denies what its rule would deny, and allows nothing. */
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
        ContentKey key = question.key();
        return new ConditionView(
                (isOfPeer ? Right.PEER.asked(question.check()) : question.check()).name(),
                caller.name(),
                List.copyOf(caller.roles()),
                question.reference(),
                key == null ? "" : KeyEncoding.LEGACY.encode(key),
                question.type() == null ? "" : question.type().name());
    }

    /** What keeps the rule from deciding a question about its rights: empty if nothing does. */
    List<String> objections(Principal caller, Question question) {
        List<String> objections = new ArrayList<>();
        if (!concerns(caller)) {
            objections.add("it is for others");
        }
        if (question.check().scope() == Scope.REPOSITORY ? !isAboutRepository() : !speaksOf(question.reference())) {
            objections.add("it is for other references");
        }
        if (question.key() != null
                && keys.stream().noneMatch(pattern -> pattern.test(question.key()))
                && !keys.isEmpty()) {
            objections.add("it is for other keys");
        }
        if (question.type() != null && !types.isEmpty() && !types.contains(question.type())) {
            objections.add("it is for other types");
        }
        if (condition != null) {
            switch (condition.test(view(caller, question))) {
                case TRUE -> {}
                case FALSE -> objections.add("its condition is false");
                case FAILED -> objections.add("its condition fails");
            }
        }
        return objections;
    }

    /** As it could stand in a file, without its name. */
    @Override
    public String toString() {
        List<String> fields = new ArrayList<>();
        if (!rights.contains(Right.PEER)) {
            add(fields, effect.name().toLowerCase(Locale.ROOT), rights.stream().map(Right::text));
        }
        add(fields, "roles", roles.stream());
        add(fields, "users", users.stream());
        add(fields, "references", references.stream().map(ReferencePattern::text));
        add(fields, "keys", keys.stream().map(KeyPattern::text));
        add(fields, "types", types.stream().map(ContentType::name));
        if (condition != null) {
            fields.add("when: \"" + condition + "\"");
        }
        return "{" + String.join(", ", fields) + "}";
    }

    private static void add(List<String> fields, String name, Stream<String> values) {
        String listed = values.sorted().collect(Collectors.joining(", "));
        if (!listed.isEmpty()) {
            fields.add(name + ": [" + listed + "]");
        }
    }
}
