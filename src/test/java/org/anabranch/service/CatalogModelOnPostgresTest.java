package org.anabranch.service;

import java.util.stream.IntStream;
import org.anabranch.store.Store;
import org.anabranch.testing.PostgresStores;

/** The same on PostgreSQL. The number of seeds is {@code -Dmodel.postgres.seeds=N}. */
class CatalogModelOnPostgresTest extends CatalogModelTest {

    @Override
    Store newStore() {
        return PostgresStores.open();
    }

    static IntStream seeds() {
        return IntStream.range(0, Integer.getInteger("model.postgres.seeds", 5));
    }
}
