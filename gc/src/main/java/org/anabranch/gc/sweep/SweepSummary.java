package org.anabranch.gc.sweep;

import java.util.List;
import java.util.Map;

/**
 * How a sweep ended.
 *
 * @param counts of the files that were found unreferenced, by what became of them; without those that came to none
 * @param leftAlone the folders that were not swept
 */
public record SweepSummary(Map<Fate, Amount> counts, List<LeftAlone> leftAlone) {

    public SweepSummary {
        counts = Map.copyOf(counts);
        leftAlone = List.copyOf(leftAlone);
    }

    /** What became of an unreferenced file. */
    public enum Fate {
        /** Gone. */
        DELETED,
        /** It would go, if this were not a dry run. */
        WOULD_BE_DELETED,
        /** The storage did not delete it. */
        FAILED,
        /** Just before its deletion it was found to be needed, rewritten, or in a folder that must be left alone. */
        KEPT,
        /** No earlier run found it unreferenced long enough ago. */
        IN_GRACE,
        /** It is younger than the safety age, or was written since the run began. */
        TOO_YOUNG
    }

    /** Files and their bytes together. */
    public record Amount(long files, long bytes) {

        public static final Amount NONE = new Amount(0, 0);

        public Amount plus(Amount other) {
            return new Amount(files + other.files, bytes + other.bytes);
        }
    }

    /** How many files had a fate. */
    public Amount amount(Fate fate) {
        return counts.getOrDefault(fate, Amount.NONE);
    }
}
