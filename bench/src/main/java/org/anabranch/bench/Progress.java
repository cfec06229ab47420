package org.anabranch.bench;

import java.io.PrintStream;
import java.time.Duration;

/** Tells how far a run is and how long the rest will take, judged by how the estimate did so far. */
final class Progress {

    private final PrintStream out;
    private final long began = System.nanoTime();
    private final Duration estimate;
    private Duration estimatedDone = Duration.ZERO;

    Progress(PrintStream out, Duration estimate) {
        this.out = out;
        this.estimate = estimate;
    }

    /** A part is done that was estimated to take so long. */
    void done(Duration estimated, String what) {
        estimatedDone = estimatedDone.plus(estimated);
        say(what);
    }

    void say(String what) {
        double left = estimate.minus(estimatedDone).toMillis() * pace();
        out.printf("%5.1f min  %s  (about %.0f min left)%n", elapsedMinutes(), what, Math.max(0, left / 60_000));
    }

    private double pace() {
        double elapsed = elapsedMinutes() * 60_000;
        return estimatedDone.toMillis() < 60_000 ? 1 : elapsed / estimatedDone.toMillis();
    }

    private double elapsedMinutes() {
        return (System.nanoTime() - began) / 60e9;
    }
}
