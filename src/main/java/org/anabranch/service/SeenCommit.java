package org.anabranch.service;

import org.anabranch.model.RefSpec;
import org.anabranch.model.RefusedException;
import org.anabranch.security.Access;
import org.anabranch.security.Question;
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

    /**
     * Resolves what a request names. Costs as {@link References#resolve}, and where rules are in force {@link
     * References#findReached}.
     *
     * @throws RefusedException as {@link References#resolve}
     */
    static SeenCommit resolve(References references, Access access, RefSpec spec, HashRole role) {
        if (access.isUnrestricted()) {
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
            throw References.noSuchCommit(hash);
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
            throw References.noSuchCommit(hash);
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
            throw References.notFound(name);
        }
        return name;
    }
}
