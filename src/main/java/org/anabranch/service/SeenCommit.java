package org.anabranch.service;

import java.util.Arrays;
import java.util.Set;
import java.util.function.Supplier;
import org.anabranch.model.Detail;
import org.anabranch.model.ErrorCode;
import org.anabranch.model.HashSpec;
import org.anabranch.model.RefSpec;
import org.anabranch.model.RefusedException;
import org.anabranch.model.VisibleKeys;
import org.anabranch.security.Access;
import org.anabranch.security.Check;
import org.anabranch.security.Question;
import org.anabranch.store.ReferenceRow;
import org.anabranch.versioning.read.Pins;
import org.anabranch.versioning.refs.HashRole;
import org.anabranch.versioning.refs.References;
import org.anabranch.versioning.refs.ResolvedReference;

/**
 * A commit that a request names, and what vouches for it. What the caller may not know of is answered as if it were not there:
 * a reference that is not theirs to see, and a commit that the reference does not reach unless commits may be read by their hashes.
 *
 * @param resolved as the request names it
 * @param voucher by what its keys are to be judged: the reference that reaches it, or {@link Question#DETACHED}
 */
record SeenCommit(ResolvedReference resolved, String voucher) {

    private static final Set<Check> KEY_AND_VALUE = Set.of(Check.READ_CONTENT_KEY, Check.READ_ENTITY_VALUE);

    /**
     * Resolves what a request names. Costs as {@link References#resolve}, and for who does not read everything {@link
     * References#findReached}.
     *
     * @throws RefusedException as {@link References#resolve}
     */
    static SeenCommit resolve(References references, Access access, RefSpec spec, HashRole role) {
        if (access.readsEverything()) {
            ResolvedReference resolved = references.resolve(spec, role);
            return new SeenCommit(
                    resolved,
                    resolved.row() == null ? Question.DETACHED : resolved.row().name());
        }
        if (!spec.isDetached()) {
            String name = requireViewed(references, access, spec);
            var reached = references.findReached(spec);
            if (reached.isPresent()) {
                return new SeenCommit(reached.get(), name);
            }
        }
        String hash = spec.commit().hash();
        if (hash != null && !access.views(Question.DETACHED)) {
            throw access.hidden(References.noSuchCommit(hash), Question.DETACHED);
        }
        return new SeenCommit(references.resolve(spec, role), Question.DETACHED);
    }

    /**
     * Checks that steps do not lead from a commit that the caller may not know of to one that a refusal names. Costs {@link
     * References#findReached}, only if there are steps.
     *
     * @param spec a branch or tag, with where it is expected to be
     * @throws RefusedException 404 if they do
     */
    static void requireSeenStart(References references, Access access, RefSpec spec) {
        String hash = spec.commit().hash();
        boolean isNamed =
                hash != null && !spec.isDetached() && !spec.commit().steps().isEmpty();
        if (isNamed
                && !access.isUnrestricted()
                && !access.views(Question.DETACHED)
                && references.findReached(spec).isEmpty()) {
            throw access.hidden(References.noSuchCommit(hash), Question.DETACHED);
        }
    }

    /**
     * The own name of a reference that the caller may know of, whether it is there or not.
     *
     * @throws RefusedException 404 if they may not
     */
    static String requireViewed(References references, Access access, RefSpec spec) {
        String name = references.ownName(spec);
        if (!access.views(name)) {
            throw access.hidden(References.notFound(name), name);
        }
        return name;
    }

    /**
     * What a page of a listing shows: the same reference at the commit that its page token names.
     *
     * @param pin finds that commit, for {@link #resolved}
     * @throws RefusedException 404 if the caller may not know of that commit; or as {@code pin} throws
     */
    SeenCommit pinned(References references, Access access, Supplier<ResolvedReference> pin) {
        ResolvedReference pinned = find(access, pin);
        String hash = pinned.commit().id().toString();
        ReferenceRow row = pinned.row();
        if (row == null
                || voucher.equals(Question.DETACHED)
                || pinned.commit().id().equals(resolved.commit().id())
                || access.readsEverything()
                || references.reaches(row, hash)) {
            return new SeenCommit(pinned, voucher);
        }
        if (!access.views(Question.DETACHED)) {
            throw access.hidden(Pins.gone(pinned.commit().id()), Question.DETACHED);
        }
        return new SeenCommit(pinned, Question.DETACHED);
    }

    /**
     * Finds what a page token names. One that is not there is denied to whom it would be denied if it were.
     *
     * @throws RefusedException as {@code pin} throws
     */
    static <T> T find(Access access, Supplier<T> pin) {
        try {
            return pin.get();
        } catch (RefusedException refusal) {
            throw refusal.code() == ErrorCode.REFERENCE_NOT_FOUND ? access.hidden(refusal, Question.DETACHED) : refusal;
        }
    }

    /**
     * Checks what is named beside this commit, such as the far end of a log.
     *
     * @throws RefusedException 404 if steps start from a commit that the caller may not know of
     */
    void requireSeen(References references, Access access, HashSpec beside) {
        ReferenceRow row = resolved.row();
        String hash = beside.hash();
        if (row != null
                && hash != null
                && !beside.steps().isEmpty()
                && !access.readsEverything()
                && !access.views(Question.DETACHED)
                && !references.reaches(row, hash)) {
            throw access.hidden(References.noSuchCommit(hash), Question.DETACHED);
        }
    }

    /**
     * The keys that an answer may show.
     *
     * @param detail {@link Detail#ALL} if it shows what they hold, too
     */
    VisibleKeys keys(Access access, Detail detail) {
        return detail == Detail.MINIMAL
                ? access.visible(Check.READ_CONTENT_KEY, voucher)
                : access.visible(KEY_AND_VALUE, voucher);
    }

    /** @throws RefusedException 403 that names what is not allowed */
    void require(Access access, Check... checks) {
        access.require(Arrays.stream(checks)
                .map(check -> Question.ofReference(check, voucher))
                .toList());
    }
}
