package org.anabranch.service;

import java.util.Iterator;
import java.util.List;
import org.anabranch.model.KeyBound;
import org.anabranch.model.KeyInterval;
import org.anabranch.model.VisibleKeys;
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
                .anyMatch(read -> !covers(access.visible(read, source), access.visible(read, reference)));
        return showsMore
                ? List.of(
                        Check.READ_CONTENT_KEY + " on '" + source + "' of all keys that '" + reference + "' would show")
                : List.of();
    }

    /** Whether all keys that some may see are among those that others may: nothing is compared where the same rules speak of both. */
    static boolean covers(VisibleKeys all, VisibleKeys some) {
        return all == some || covers(all.ranges(), some.ranges());
    }

    /** Whether all keys of some intervals are in others; both ascending and disjoint. Looks at each once. */
    static boolean covers(List<KeyInterval> all, List<KeyInterval> some) {
        Iterator<KeyInterval> rest = all.iterator();
        @Nullable KeyInterval next = rest.hasNext() ? rest.next() : null;
        for (KeyInterval each : some) {
            @Nullable KeyBound from = each.from();
            while (next != null && !reaches(next, each)) {
                boolean isBefore =
                        from != null && next.until() != null && next.until().compareTo(from) <= 0;
                if (!isBefore) {
                    if (!beginsBy(next, from)) {
                        return false;
                    }
                    from = next.until();
                }
                next = rest.hasNext() ? rest.next() : null;
            }
            if (next == null || !beginsBy(next, from)) {
                return false;
            }
        }
        return true;
    }

    /** Whether an interval ends with another or behind it. */
    private static boolean reaches(KeyInterval one, KeyInterval other) {
        return one.until() == null || other.until() != null && other.until().compareTo(one.until()) <= 0;
    }

    private static boolean beginsBy(KeyInterval interval, @Nullable KeyBound place) {
        return interval.from() == null || place != null && interval.from().compareTo(place) <= 0;
    }
}
