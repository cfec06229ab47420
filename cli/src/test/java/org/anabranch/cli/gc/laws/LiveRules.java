package org.anabranch.cli.gc.laws;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.projectnessie.model.CommitMeta;

/**
 * What counts as live.
 *
 * @param pins hashes of commits that are live by themselves
 */
record LiveRules(Cutoffs cutoffs, List<String> pins, Snapshots snapshots) {

    private static final int MAX_PINS = 2;

    /** Which snapshots of a live table are live. */
    enum Snapshots {
        /** All that its metadata lists. */
        ALL,
        /** The one that the catalog records. */
        RECORDED
    }

    static LiveRules of(Cutoffs cutoffs) {
        return new LiveRules(cutoffs, List.of(), Snapshots.ALL);
    }

    /** Random rules over a history of these commits. */
    static LiveRules random(Random random, List<CommitMeta> commits) {
        List<String> pins = new ArrayList<>();
        for (int i = random.nextInt(MAX_PINS + 1); i > 0; i--) {
            pins.add(commits.get(random.nextInt(commits.size())).getHash());
        }
        Snapshots snapshots = random.nextInt(3) == 0 ? Snapshots.RECORDED : Snapshots.ALL;
        return new LiveRules(Cutoffs.random(random, commits), pins, snapshots);
    }
}
