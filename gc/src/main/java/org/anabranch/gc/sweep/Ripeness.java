package org.anabranch.gc.sweep;

import java.time.Instant;
import org.anabranch.gc.state.Runs.Run;
import org.anabranch.gc.state.UnreferencedFiles.Unreferenced;

/**
 * When an unreferenced file may go, as far as time decides: an earlier run found it unreferenced, its mark was complete at least the grace
 * period before this run began, and the file is older than the safety age and the clock margin together.
 */
record Ripeness(Run run, SweepOptions options) {

    /** What time says of a file. */
    enum Verdict {
        RIPE,
        IN_GRACE,
        TOO_YOUNG
    }

    Verdict of(Unreferenced file) {
        if (file.sinceRun() >= run.id() || run.startedAt().isBefore(ripeAt(file))) {
            return Verdict.IN_GRACE;
        }
        return file.file().modifiedAt().isBefore(youngest()) ? Verdict.RIPE : Verdict.TOO_YOUNG;
    }

    /** A run that begins then or later may delete the file, if it finds it unreferenced too and old enough. */
    Instant ripeAt(Unreferenced file) {
        return file.since().plus(options.grace());
    }

    /** Files that were modified before are old enough. */
    Instant youngest() {
        return run.startedAt().minus(options.safetyAge()).minus(options.clockMargin());
    }
}
