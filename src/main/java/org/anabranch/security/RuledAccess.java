package org.anabranch.security;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.anabranch.model.ErrorCode;
import org.anabranch.model.RefusedException;
import org.anabranch.model.VisibleKeys;
import org.jspecify.annotations.Nullable;

/** What rules say of one caller. */
final class RuledAccess implements Access {

    /** More would make an answer that nobody reads, of a commit with thousands of keys. */
    private static final int MOST_NAMED = 100;

    private record Found(String reference, ReferenceRules rules) {}

    private final Principal caller;
    private final CallerRules rules;

    /** Those that were looked for last: questions come by the reference. */
    private volatile @Nullable Found last;

    RuledAccess(Principal caller, CallerRules rules) {
        this.caller = caller;
        this.rules = rules;
    }

    @Override
    public Principal caller() {
        return caller;
    }

    @Override
    public boolean isUnrestricted() {
        return false;
    }

    @Override
    public boolean readsEverything() {
        return rules.readEverything();
    }

    @Override
    public boolean allows(Question question) {
        ReferenceRules of = rules(question.reference());
        return allowsImplied(question.reference(), of) && allowsItself(question, of);
    }

    private ReferenceRules rules(String reference) {
        Found found = last;
        if (found == null || !found.reference.equals(reference)) {
            found = new Found(reference, rules.of(reference));
            last = found;
        }
        return found.rules;
    }

    private static boolean allowsImplied(String reference, ReferenceRules of) {
        return reference.isEmpty()
                || of.allows(Check.VIEW_REFERENCE, Via.COMMIT)
                        && (!reference.equals(Question.DETACHED) || of.allows(Check.READ_DETACHED, Via.COMMIT));
    }

    private static boolean allowsItself(Question question, ReferenceRules of) {
        if (question.key() == null) {
            return of.allows(question.check(), question.via());
        }
        KeyDecisions keys = of.keys(question.check(), question.via());
        return question.type() == null ? keys.showsSome(question.key()) : keys.shows(question.key(), question.type());
    }

    @Override
    public VisibleKeys visible(Set<Check> checks, String reference) {
        ReferenceRules of = rules(reference);
        return allowsImplied(reference, of) ? of.visible(checks) : VisibleKeys.NONE;
    }

    @Override
    public void require(Collection<Question> questions, List<String> unnamed) {
        denial(questions, unnamed).ifPresent(denial -> {
            throw RefusedException.of(ErrorCode.FORBIDDEN, denial);
        });
    }

    @Override
    public RefusedException hidden(RefusedException absent, Collection<Question> questions) {
        return denial(questions, List.of()).map(absent::hiding).orElse(absent);
    }

    /** Says every question whose answer is no, and what is denied beside; empty if nothing is. */
    private Optional<String> denial(Collection<Question> questions, List<String> unnamed) {
        List<Question> failed = new ArrayList<>();
        for (Question question : questions) {
            if (!allows(question)) {
                failed.add(question);
            }
        }
        if (failed.isEmpty() && unnamed.isEmpty()) {
            return Optional.empty();
        }
        // Of several types, and of what several imply, the same is said once.
        List<String> denied = Stream.concat(
                        failed.stream()
                                .flatMap(question -> question.withImplied().stream())
                                .filter(question -> !allowsItself(question, rules(question.reference())))
                                .map(Question::toString)
                                .distinct(),
                        unnamed.stream())
                .toList();
        return Optional.of("Not allowed for " + caller + ": "
                + denied.stream().limit(MOST_NAMED).collect(Collectors.joining(", "))
                + (denied.size() > MOST_NAMED ? ", and " + (denied.size() - MOST_NAMED) + " more" : ""));
    }
}
