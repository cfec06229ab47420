package org.anabranch.rest;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RequestTimesTest {

    private static long ms(long millis) {
        return TimeUnit.MILLISECONDS.toNanos(millis);
    }

    @Test
    void aWriteIsTakenApart() {
        RequestTimes times = new RequestTimes(ms(1_000));
        times.begin(ms(1_002));
        times.addStore(ms(5));
        times.beginWrite();
        // What is read for judging is judging, and the write is told in the end.
        times.addStore(ms(30));
        times.endWrite(ms(200), ms(40), ms(60));
        times.answer(ms(1_320));

        assertThat(times.all(ms(1_321))).isEqualTo(ms(321));
        assertThat(times.breakdown(ms(1_321)))
                .isEqualTo(
                        "waiting for a thread 2, for the branch 200, judging 40, store 65, writing the answer 1, else 13");
    }

    @Test
    void aListingReadsWhileItIsWritten() {
        RequestTimes times = new RequestTimes(ms(0));
        times.begin(ms(1));
        times.addStore(ms(2));
        times.answer(ms(4));
        times.addStore(ms(50));

        assertThat(times.breakdown(ms(104)))
                .isEqualTo(
                        "waiting for a thread 1, for the branch 0, judging 0, store 52, writing the answer 50, else 1");
    }

    @Test
    void whatNoThreadTookUpIsElse() {
        assertThat(new RequestTimes(ms(0)).breakdown(ms(7)))
                .isEqualTo(
                        "waiting for a thread 0, for the branch 0, judging 0, store 0, writing the answer 0, else 7");
    }
}
