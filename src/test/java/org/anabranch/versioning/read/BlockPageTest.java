package org.anabranch.versioning.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What is completed at once is bounded by number and by size. */
class BlockPageTest {

    private static List<Integer> blocks(int items, long bytesEach) {
        List<Integer> blocks = new ArrayList<>();
        BlockPage<Integer, Integer> page = new BlockPage<>(
                IntStream.range(0, items).iterator(),
                0,
                100,
                item -> bytesEach,
                block -> {
                    blocks.add(block.size());
                    return block;
                },
                String::valueOf);
        List<Integer> seen = new ArrayList<>();
        page.forEachRemaining(seen::add);
        assertThat(seen).isEqualTo(IntStream.range(0, items).boxed().toList());
        assertThat(page.nextToken()).isEmpty();
        return blocks;
    }

    @Test
    void smallItemsAreCompletedByTheHundred() {
        assertThat(blocks(250, 0)).containsExactly(100, 100, 50);
    }

    @Test
    void largeItemsAreCompletedAlone() {
        assertThat(blocks(5, 16 << 20)).isEqualTo(Collections.nCopies(5, 1));
        assertThat(blocks(10, 400 << 10)).containsExactly(3, 3, 3, 1);
    }
}
