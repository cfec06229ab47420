package org.anabranch.cli.gc;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongSupplier;
import org.anabranch.gc.Progress;

/** Tells how far a step is: counts, rates, and the time left where the whole is known; a line every few seconds. */
final class ConsoleProgress implements Progress {

    private static final long NANOS_BETWEEN_LINES = Duration.ofSeconds(5).toNanos();

    private static final Map<Phase, String> WORDS = new EnumMap<>(Map.of(
            Phase.LOG, "commits read from the log",
            Phase.TREES, "entries read from trees",
            Phase.EXPAND, "contents expanded to their files",
            Phase.LIST, "files listed",
            Phase.DELETE, "files deleted"));

    private static final class Count {
        private final long startedAt;
        private long done;

        Count(long startedAt) {
            this.startedAt = startedAt;
        }
    }

    private final PrintWriter out;
    private final LongSupplier nanoTime;
    private final Map<Phase, Count> counts = new EnumMap<>(Phase.class);
    private long lineAt;

    /** @param nanoTime a clock for differences */
    ConsoleProgress(PrintWriter out, LongSupplier nanoTime) {
        this.out = out;
        this.nanoTime = nanoTime;
        this.lineAt = nanoTime.getAsLong();
    }

    @Override
    public synchronized void made(Phase phase, long more, long total) {
        long now = nanoTime.getAsLong();
        Count count = counts.computeIfAbsent(phase, first -> new Count(now));
        count.done += more;
        if (now - lineAt >= NANOS_BETWEEN_LINES) {
            lineAt = now;
            print(phase, count, now, total);
        }
    }

    /** How much of a phase was done. */
    synchronized long done(Phase phase) {
        Count count = counts.get(phase);
        return count == null ? 0 : count.done;
    }

    private void print(Phase phase, Count count, long now, long total) {
        double seconds = Math.max(0.001, (now - count.startedAt) / 1e9);
        double rate = count.done / seconds;
        StringBuilder line = new StringBuilder(String.format(Locale.ROOT, "  %,d ", count.done));
        if (total > 0) {
            line.append(String.format(Locale.ROOT, "of %,d ", total));
        }
        line.append(WORDS.get(phase)).append(String.format(Locale.ROOT, ", %,.0f/s", rate));
        if (total > count.done && rate > 0) {
            line.append(", about ")
                    .append(inWords(Duration.ofSeconds((long) ((total - count.done) / rate))))
                    .append(" left");
        }
        out.println(line);
        out.flush();
    }

    private static String inWords(Duration duration) {
        if (duration.toHours() > 0) {
            return duration.toHours() + " h " + duration.toMinutesPart() + " min";
        }
        return duration.toMinutes() > 0
                ? duration.toMinutes() + " min " + duration.toSecondsPart() + " s"
                : duration.toSeconds() + " s";
    }
}
