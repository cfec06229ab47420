package org.anabranch.wiring;

import java.io.PrintStream;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Tells how far a long run is, every few seconds, with its rate and how long it will still take. */
final class ProgressLines {

    private static final long EVERY_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final PrintStream to;
    private @Nullable Enum<?> stage;
    private long stageBegan;
    private long last = System.nanoTime();

    ProgressLines(PrintStream to) {
        this.to = to;
    }

    /**
     * @param now the stage
     * @param total 0 if it is not known
     */
    void at(Enum<?> now, long done, long total) {
        long nanos = System.nanoTime();
        if (now != stage) {
            stage = now;
            stageBegan = nanos;
            last = nanos;
        }
        if (nanos - last < EVERY_NANOS) {
            return;
        }
        last = nanos;
        double seconds = (nanos - stageBegan) / 1e9;
        double rate = done / seconds;
        String line = String.format(Locale.ROOT, "%s: %,d", now.name().toLowerCase(Locale.ROOT), done);
        if (total > 0) {
            line += String.format(Locale.ROOT, " of %,d", total);
        }
        line += String.format(Locale.ROOT, ", %,.0f a second", rate);
        if (total > 0 && rate > 0) {
            line += String.format(Locale.ROOT, ", about %,.0f s left", (total - done) / rate);
        }
        to.println(line);
    }
}
