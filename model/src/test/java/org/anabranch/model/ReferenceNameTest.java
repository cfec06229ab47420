package org.anabranch.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ReferenceNameTest {

    /** A database's index takes entries of some two kilobytes, and says no to longer ones when it is too late for a 400. */
    @Test
    void aNameHasAnEnd() {
        String longest = "a".repeat(ReferenceName.MAX_LENGTH);

        assertThat(new ReferenceName(longest).value()).isEqualTo(longest);
        assertThatThrownBy(() -> new ReferenceName(longest + "b"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("'" + "a".repeat(50) + "...': a name has at most 500 characters, and this one has 501");
    }
}
