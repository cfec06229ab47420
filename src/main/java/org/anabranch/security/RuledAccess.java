package org.anabranch.security;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.anabranch.model.ContentKey;
import org.anabranch.model.ContentType;
import org.anabranch.model.ErrorCode;
import org.anabranch.model.KeyInterval;
import org.anabranch.model.RefusedException;
import org.anabranch.model.VisibleKeys;
import org.anabranch.security.Check.Scope;

record RuledAccess(RuleSet rules, Principal caller) implements Access {

    /** More would make an answer that nobody reads, of a commit with thousands of keys. */
    private static final int MOST_NAMED = 100;

    @Override
    public boolean isUnrestricted() {
        return false;
    }

    @Override
    public boolean readsEverything() {
        return rules.readsEverything(caller);
    }

    @Override
    public boolean allows(Question question) {
        return implied(question).stream()
                .allMatch(each -> rules.decide(caller, each).allowed());
    }

    @Override
    public VisibleKeys visible(Check check, String reference) {
        return new VisibleKeys() {
            @Override
            public boolean shows(ContentKey key, ContentType type) {
                return allows(Question.ofKey(check, reference, key, type));
            }

            @Override
            public List<KeyInterval> ranges() {
                return List.of(KeyInterval.ALL);
            }

            @Override
            public boolean showsAll(KeyInterval range) {
                return false;
            }
        };
    }

    @Override
    public void require(Collection<Question> questions, List<String> unnamed) {
        Set<Question> all = new LinkedHashSet<>();
        questions.forEach(question -> all.addAll(implied(question)));
        // Of several types the same is said once.
        List<String> denied = Stream.concat(
                        all.stream()
                                .filter(question ->
                                        !rules.decide(caller, question).allowed())
                                .map(Question::toString)
                                .distinct(),
                        unnamed.stream())
                .toList();
        if (!denied.isEmpty()) {
            throw RefusedException.of(
                    ErrorCode.FORBIDDEN,
                    "Not allowed for " + caller + ": "
                            + denied.stream().limit(MOST_NAMED).collect(Collectors.joining(", "))
                            + (denied.size() > MOST_NAMED ? ", and " + (denied.size() - MOST_NAMED) + " more" : ""));
        }
    }

    /** A question with those that it implies, which come first. */
    private static List<Question> implied(Question question) {
        List<Question> all = new ArrayList<>();
        if (question.reference().equals(Question.DETACHED)) {
            all.add(Question.ofReference(Check.READ_DETACHED, Question.DETACHED));
        }
        if (question.check().scope() != Scope.REPOSITORY) {
            all.add(Question.ofReference(Check.VIEW_REFERENCE, question.reference()));
        }
        if (!all.contains(question)) {
            all.add(question);
        }
        return all;
    }
}
