package org.anabranch.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import org.anabranch.model.ErrorCode;
import org.anabranch.model.RefusedException;
import org.junit.jupiter.api.Test;

class AnswerTimeTest {

    @Test
    void anAnswerEndsWhenItsTimeIsOver() {
        long[] nanos = {Long.MAX_VALUE - 1};
        AnswerTime time = new AnswerTime(Duration.ofMillis(5), () -> nanos[0]);
        Iterator<Integer> items = time.limited(List.of(1, 2, 3).iterator());

        assertThat(items.next()).isEqualTo(1);
        nanos[0] += 5_000_000;
        assertThat(items.next()).isEqualTo(2);
        nanos[0]++;
        assertThatThrownBy(items::next)
                .isInstanceOfSatisfying(
                        RefusedException.class,
                        refusal -> assertThat(refusal.code()).isEqualTo(ErrorCode.BAD_REQUEST))
                .hasMessageContainingAll("5 ms", "max-records", "anabranch.limits.answer-time");
    }

    @Test
    void aLimitOfNothingIsRefusedByName() {
        assertThatThrownBy(() -> new AnswerTime(Duration.ZERO, System::nanoTime))
                .hasMessageContaining("anabranch.limits.answer-time");
    }
}
