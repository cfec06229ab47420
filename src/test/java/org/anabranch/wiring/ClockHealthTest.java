package org.anabranch.wiring;

import static org.anabranch.testing.TestCatalog.MAIN;
import static org.anabranch.testing.TestCatalog.put;
import static org.anabranch.testing.TestCatalog.table;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.anabranch.object.Commit;
import org.anabranch.testing.TestCatalog;
import org.junit.jupiter.api.Test;

class ClockHealthTest {

    private final TestCatalog catalog = new TestCatalog();
    private final Commit head = catalog.commit(catalog.commit(MAIN, put("a", table("a"))));
    private final Instant createdAt = Instant.EPOCH.plus(head.createdAtMicros(), ChronoUnit.MICROS);

    @Test
    void aHeadOfTheFutureIsWarnedOf() {
        assertThat(ClockHealth.warning(MAIN, head, createdAt.minusSeconds(3_600)))
                .contains("The head of branch 'main' is 3600 s ahead of this process's clock:"
                        + " set the clocks of all processes right");
    }

    @Test
    void clocksMayDifferALittle() {
        assertThat(ClockHealth.warning(MAIN, head, createdAt.minusSeconds(10))).isEmpty();
        assertThat(ClockHealth.warning(MAIN, head, createdAt.plusSeconds(86_400)))
                .isEmpty();
        assertThat(ClockHealth.warning(MAIN, Commit.NO_ANCESTOR, createdAt)).isEmpty();
    }
}
