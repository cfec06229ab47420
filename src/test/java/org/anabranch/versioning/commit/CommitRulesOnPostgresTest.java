package org.anabranch.versioning.commit;

import org.anabranch.store.Store;
import org.anabranch.testing.PostgresStores;

/** The same on PostgreSQL. */
class CommitRulesOnPostgresTest extends CommitRulesTest {

    @Override
    Store newStore() {
        return PostgresStores.open();
    }
}
