package org.anabranch.service;

import java.util.List;
import org.anabranch.model.KeyBound;
import org.anabranch.model.KeyInterval;
import org.anabranch.security.Access;
import org.anabranch.security.Check;
import org.anabranch.security.Question;
import org.jspecify.annotations.Nullable;

/** What it takes to let a reference show a commit. */
final class ReferenceQuestions {

    private ReferenceQuestions() {}

    /**
     * Asks whether a reference may be created at a commit or assigned to it. Beside the right to that, the caller must not come to
     * read keys under the reference's name that certainly are kept from them where the commit comes from. What depends on more than
     * the keys' place is not compared.
     *
     * @param source by whose rules the commit is read so far
     * @throws org.anabranch.model.RefusedException 403 that names what is not allowed
     */
    static void require(Access access, Check check, String reference, String source) {
        if (access.isUnrestricted()) {
            return;
        }
        access.require(
                List.of(Question.ofReference(check, reference), Question.ofReference(Check.VIEW_REFERENCE, source)),
                widened(access, reference, source));
    }

    /**
     * What is denied, in words, where a reference comes to reach commits, and the caller could read more keys of them under its name
     * than so far. Empty if nothing is.
     */
    static List<String> widened(Access access, String reference, String source) {
        boolean showsMore = List.of(Check.READ_CONTENT_KEY, Check.READ_ENTITY_VALUE).stream()
                .anyMatch(read -> !covers(
                        access.visible(read, source).ranges(),
                        access.visible(read, reference).ranges()));
        return showsMore
                ? List.of(
                        Check.READ_CONTENT_KEY + " on '" + source + "' of all keys that '" + reference + "' would show")
                : List.of();
    }

    /** Whether all keys of some intervals are in others; both ascending and disjoint. */
    static boolean covers(List<KeyInterval> all, List<KeyInterval> some) {
        return some.stream().allMatch(each -> covers(all, each));
    }

    private static boolean covers(List<KeyInterval> all, KeyInterval one) {
        @Nullable KeyBound from = one.from();
        for (KeyInterval next : all) {
            boolean beginsInTime =
                    next.from() == null || from != null && next.from().compareTo(from) <= 0;
            if (!beginsInTime) {
                return false;
            }
            if (next.until() == null) {
                return true;
            }
            if (one.until() != null && one.until().compareTo(next.until()) <= 0) {
                return true;
            }
            if (from == null || from.compareTo(next.until()) < 0) {
                from = next.until();
            }
        }
        return false;
    }
}
