package org.anabranch.scale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class SmallHeapTest {

    private static final int MEGABYTE = 1 << 20;

    /** Takes some megabytes, and says how many its heap and its process took. */
    static final class Taker {

        public static void main(String[] args) {
            byte[][] taken = new byte[Integer.parseInt(args[0])][MEGABYTE];
            for (byte[] each : taken) {
                Arrays.fill(each, (byte) 1);
            }
            System.out.println("taken");
            System.out.println(SmallHeap.peakHeapBytes() / MEGABYTE + "," + SmallHeap.peakProcessBytes() / MEGABYTE
                    + "," + taken.length);
        }
    }

    @Test
    void aProgramSaysWhatItTook() throws Exception {
        String[] said = SmallHeap.run("64m", Taker.class, "24").split(",");
        assertThat(Integer.parseInt(said[0])).isBetween(24, 64);
        if (Files.exists(Path.of("/proc/self/status"))) {
            assertThat(Integer.parseInt(said[1])).isGreaterThan(24);
        }
    }

    @Test
    void aProgramThatNeedsMoreFails() {
        assertThatThrownBy(() -> SmallHeap.run("16m", Taker.class, "24"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("OutOfMemoryError");
    }
}
