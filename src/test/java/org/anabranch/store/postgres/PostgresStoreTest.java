package org.anabranch.store.postgres;

import java.util.function.Supplier;
import org.anabranch.store.Store;
import org.anabranch.store.contract.StoreContract;
import org.anabranch.testing.PostgresServer;

class PostgresStoreTest extends StoreContract {

    private static final PostgresServer SERVER = PostgresServer.shared();

    @Override
    protected Supplier<Store> newRepository() {
        PostgresSettings settings = SERVER.settings(SERVER.emptyUrl());
        return () -> PostgresStore.open(settings);
    }
}
