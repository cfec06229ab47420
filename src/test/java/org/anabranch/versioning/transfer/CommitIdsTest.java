package org.anabranch.versioning.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.anabranch.model.CommitId;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** It agrees with a map, also where ids begin alike. */
class CommitIdsTest {

    @ParameterizedTest(name = "seed {0}, {1} beginnings")
    @CsvSource({"1, 100000", "2, 300", "3, 1"})
    void everyIdHasOneOrdinal(int seed, int beginnings) {
        Random random = new Random(seed);
        CommitIds ids = new CommitIds();
        Map<CommitId, Integer> model = new HashMap<>();
        int count = beginnings == 1 ? 3_000 : 70_000;
        for (int i = 0; i < count; i++) {
            int distinct = random.nextInt(count / 2);
            CommitId id = CommitId.of(ByteBuffer.allocate(CommitId.BYTES)
                    .putInt(1_000_003 * (distinct % beginnings))
                    .putInt(CommitId.BYTES - Integer.BYTES, distinct)
                    .array());
            assertThat(ids.ordinal(id)).isEqualTo(model.getOrDefault(id, 0));
            int ordinal = model.computeIfAbsent(id, each -> model.size() + 1);
            assertThat(ids.add(id)).isEqualTo(ordinal);
        }
        assertThat(ids.size()).isEqualTo(model.size());
        model.forEach((id, ordinal) -> assertThat(ids.id(ordinal)).isEqualTo(id));
    }
}
