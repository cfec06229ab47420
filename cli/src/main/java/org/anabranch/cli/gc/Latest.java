package org.anabranch.cli.gc;

import org.anabranch.gc.state.Runs.Run;
import org.anabranch.gc.state.StateFolder;

/** The run that questions are answered from. */
final class Latest {

    private Latest() {}

    /** @throws IllegalArgumentException if there is no run whose files are known */
    static Run marked(StateFolder state) {
        return state.runs()
                .latest()
                .filter(run -> run.expandedAt() != null)
                .orElseThrow(
                        () -> new IllegalArgumentException(
                                "The latest run does not know yet which files are needed: do 'gc mark' and 'gc expand', or 'gc run'"));
    }
}
