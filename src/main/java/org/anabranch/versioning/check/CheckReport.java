package org.anabranch.versioning.check;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a check found.
 *
 * @param complete false if it ended early: there were too many findings, or it was told to end
 * @param references branches and tags
 * @param receipts kept, expired ones included
 * @param rows all commit rows of the store
 * @param commits rows that references reach
 * @param verified how many of those were verified
 * @param notJudged how many of those build on something damaged, so that not everything about them could be judged
 * @param findings in the order they were met, at most {@link RepositoryCheck#MOST_FINDINGS}
 */
public record CheckReport(
        CheckLevel level,
        boolean complete,
        long references,
        long receipts,
        long rows,
        long commits,
        long verified,
        long notJudged,
        List<Finding> findings) {

    public CheckReport {
        findings = List.copyOf(findings);
    }

    public boolean isClean() {
        return complete && findings.isEmpty();
    }

    /** How many findings there are of each kind; kinds without any are absent. */
    public SortedMap<Finding.Kind, Integer> counts() {
        SortedMap<Finding.Kind, Integer> counts = new TreeMap<>();
        findings.forEach(finding -> counts.merge(finding.kind(), 1, Integer::sum));
        return counts;
    }
}
