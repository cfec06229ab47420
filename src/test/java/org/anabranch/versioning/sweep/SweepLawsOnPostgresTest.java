package org.anabranch.versioning.sweep;

import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.anabranch.store.Store;
import org.anabranch.store.Turn;
import org.anabranch.testing.ForwardingStore;
import org.anabranch.testing.PostgresStores;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** As on the memory store, with the time of the test in place of the database's. */
class SweepLawsOnPostgresTest extends SweepLawsTest {

    @Override
    Store newStore() {
        return new ForwardingStore(PostgresStores.open()) {
            @Override
            public OptionalLong clockMicros() {
                return OptionalLong.empty();
            }

            @Override
            public Turn turn(String name) {
                return delegate.turn(name);
            }
        };
    }

    static IntStream fewSeeds() {
        return IntStream.range(1_000, 1_000 + Integer.getInteger("sweep.seeds", 60) / 20);
    }

    @Override
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("fewSeeds")
    void requestsAreWholeOrRefusedAndWhatIsReachedStays(int seed) {
        super.requestsAreWholeOrRefusedAndWhatIsReachedStays(seed);
    }
}
