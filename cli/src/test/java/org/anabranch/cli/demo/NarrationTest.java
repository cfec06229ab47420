package org.anabranch.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class NarrationTest {

    private final StringWriter text = new StringWriter();
    private final Narration narration = new Narration(new PrintWriter(text));

    @Test
    void holdsWhileEveryClaimDoes() {
        narration.claim("one is one", 1, 1);
        narration.claim("two is two", 2, 2);
        narration.end(Duration.ofMillis(1500));

        assertThat(narration.allClaimsHold()).isTrue();
        assertThat(text.toString()).endsWith("All 2 claims hold. It took 1.5 s.%n".formatted());
    }

    @Test
    void failsWithOneClaimAndSaysWhatItFound() {
        narration.claim("one is one", 1, 1);
        narration.claim("two is two", 2, 3);
        narration.claim("four is four", 4, 4);
        narration.end(Duration.ofMillis(1500));

        assertThat(narration.allClaimsHold()).isFalse();
        assertThat(text.toString())
                .contains("[FAILED] two is two", "expected 2", "but found 3")
                .endsWith("1 of 3 claims FAILED. It took 1.5 s.%n".formatted());
    }

    @Test
    void provesNothingWithoutClaims() {
        assertThat(narration.allClaimsHold()).isFalse();
    }
}
