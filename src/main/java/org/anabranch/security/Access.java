package org.anabranch.security;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.anabranch.model.RefusedException;
import org.anabranch.model.VisibleKeys;

/**
 * What one caller may do, by the rules in force when the request came: every use case takes one. Immutable; safe from many threads.
 *
 * <p>Every question about a reference implies {@link Check#VIEW_REFERENCE} on it, and every one about {@link Question#DETACHED}
 * also {@link Check#READ_DETACHED}.
 */
public sealed interface Access permits UnrestrictedAccess, RuledAccess {

    /** Of a caller whom no rules concern: every question is answered with yes. */
    static Access unrestricted(Principal caller) {
        return new UnrestrictedAccess(caller);
    }

    Principal caller();

    /** Whether no rules are in force, so that nothing need be asked. */
    boolean isUnrestricted();

    /** Whether the caller reads every key of every reference, and every commit by its hash. May say no where it takes more than the rules to tell. */
    boolean readsEverything();

    boolean allows(Question question);

    /** Whether the caller may know of a reference. What they may not know of is to be answered as if it were not there. */
    default boolean views(String reference) {
        return allows(Question.ofReference(Check.VIEW_REFERENCE, reference));
    }

    /** Whether the caller may read messages, authors and times of a reference's commits. */
    default boolean readsLog(String reference) {
        return allows(Question.ofReference(Check.LIST_COMMIT_LOG, reference));
    }

    /**
     * The keys of a reference for which a check is answered with yes.
     *
     * @param check about keys, and not about changes
     */
    default VisibleKeys visible(Check check, String reference) {
        return visible(Set.of(check), reference);
    }

    /**
     * The keys of a reference for which all of some checks are answered with yes.
     *
     * @param checks about keys, and not about changes
     */
    VisibleKeys visible(Set<Check> checks, String reference);

    /** @throws RefusedException 403 that names every question whose answer is no */
    default void require(Collection<Question> questions) {
        require(questions, List.of());
    }

    /**
     * @param unnamed what is denied beside, in words, because a question would name a key that the caller must not learn of
     * @throws RefusedException 403 that names every question whose answer is no, and what is unnamed
     */
    void require(Collection<Question> questions, List<String> unnamed);

    /**
     * The refusal for what the caller may not know of. To the caller it is that something is not there; to the operators it tells which
     * questions are answered with no. Without such a question it is what it looks like.
     *
     * @param absent as for what is not there
     * @param questions that stand in the way of looking: they, and not what is there, decide what is told
     */
    RefusedException hidden(RefusedException absent, Collection<Question> questions);

    /** As {@link #hidden(RefusedException, Collection)}, of a reference that the caller may not know of, or of {@link Question#DETACHED}. */
    default RefusedException hidden(RefusedException absent, String reference) {
        return hidden(absent, List.of(Question.ofReference(Check.VIEW_REFERENCE, reference)));
    }

    /** @throws RefusedException 403 that names every question whose answer is no */
    default void require(Question... questions) {
        require(List.of(questions));
    }
}
