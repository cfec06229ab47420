package org.anabranch.testing;

import java.time.Duration;
import java.util.Optional;
import org.anabranch.database.PostgresServer;
import org.anabranch.store.postgres.PostgresSettings;
import org.anabranch.store.postgres.PostgresStore;

/** Stores on the PostgreSQL that the tests of this process share. */
public final class PostgresStores {

    public static final PostgresServer SERVER = PostgresServer.shared();

    private PostgresStores() {}

    /** How a store reaches a url of that server. */
    public static PostgresSettings settings(String url) {
        return settings(SERVER, url);
    }

    /** How a store reaches a url of a server. */
    public static PostgresSettings settings(PostgresServer server, String url) {
        return new PostgresSettings(
                url,
                Optional.of(server.user()),
                () -> Optional.of(server.password()),
                20,
                Duration.ofSeconds(5),
                Duration.ofSeconds(10));
    }

    /** An empty store, to be closed by the caller. */
    public static PostgresStore open() {
        return PostgresStore.open(settings(SERVER.emptyUrl()));
    }
}
