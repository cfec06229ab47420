package org.anabranch.model;

/**
 * The store failed while it wrote and did not say in time whether it had written: the commits may be there, or appear later.
 *
 * @param head the last of the commits that may have reached the branch
 */
public record OutcomeUndecided(String branch, CommitId head) implements CommitOutcome, MergeOutcome {

    public String message() {
        return "It is not known whether commit " + head + " reached branch '" + branch
                + "'. Keep the files that it refers to, and look at the history of the branch before you try again.";
    }
}
