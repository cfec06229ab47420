package org.anabranch.model;

/**
 * Others moved the branch so often that the request ran out of attempts or time. Nothing was written, no key is in conflict,
 * and the same request may be sent again.
 *
 * @param lastSeen the head that the last attempt was made on
 * @param attempts made, at least 1
 */
public record HeadKeptMoving(String branch, CommitId lastSeen, int attempts) implements CommitOutcome, MergeOutcome {

    public String message() {
        return "The head of branch '" + branch + "' kept moving: gave up after " + attempts
                + " attempts, the last one at " + lastSeen + ". No key is in conflict; send the request again.";
    }
}
