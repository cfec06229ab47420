package org.anabranch.versioning.sweep;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.anabranch.store.Store;
import org.anabranch.testing.PostgresStores;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** As on the memory store, with the time of the test in place of the database's. */
class SweepLawsOnPostgresTest extends SweepLawsTest {

    @Override
    Store newStore() {
        Store store = PostgresStores.open();
        return (Store) Proxy.newProxyInstance(
                Store.class.getClassLoader(), new Class<?>[] {Store.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("clockMicros")) {
                        return OptionalLong.empty();
                    }
                    try {
                        return method.invoke(store, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
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
