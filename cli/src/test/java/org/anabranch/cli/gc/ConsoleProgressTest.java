package org.anabranch.cli.gc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.anabranch.gc.Progress.Phase;
import org.junit.jupiter.api.Test;

/** Counts, rates and the time left, at most every five seconds. */
class ConsoleProgressTest {

    private final StringWriter out = new StringWriter();
    private final AtomicLong nanos = new AtomicLong();
    private final ConsoleProgress progress = new ConsoleProgress(new PrintWriter(out), nanos::get);

    private void after(int seconds, Phase phase, long more, long total) {
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(seconds));
        progress.made(phase, more, total);
    }

    @Test
    void tellsRateAndTimeLeft() {
        after(0, Phase.EXPAND, 0, 4_000);
        after(4, Phase.EXPAND, 500, 4_000);
        after(6, Phase.EXPAND, 500, 4_000);
        assertThat(out)
                .hasToString("  1,000 of 4,000 contents expanded to their files, 100/s, about 30 s left"
                        + System.lineSeparator());
    }

    @Test
    void tellsNoEndThatIsNotKnown() {
        after(0, Phase.LOG, 1, 0);
        after(10, Phase.LOG, 99, 0);
        assertThat(out).hasToString("  100 commits read from the log, 10/s" + System.lineSeparator());
        assertThat(progress.done(Phase.LOG)).isEqualTo(100);
        assertThat(progress.done(Phase.LIST)).isZero();
    }

    @Test
    void tellsLongTimesInHours() {
        after(0, Phase.DELETE, 0, 1_000_000);
        after(100, Phase.DELETE, 10_000, 1_000_000);
        assertThat(out.toString()).contains("about 2 h 45 min left");
    }
}
