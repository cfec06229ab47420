package org.anabranch.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.anabranch.database.PostgresServer;
import org.anabranch.store.postgres.PostgresSettings;
import org.anabranch.store.postgres.PostgresStore;

/** Stores on the PostgreSQL that the tests of this process share. */
public final class PostgresStores {

    public static final PostgresServer SERVER = PostgresServer.shared();

    private static final Duration PATIENCE = Duration.ofMinutes(1);

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

    /** Looks again and again until something is so in the database; fails if it takes a minute. */
    public static void await(String what, Callable<Boolean> isSo) throws Exception {
        long start = System.nanoTime();
        while (!isSo.call()) {
            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .as("waiting until %s", what)
                    .isLessThan(PATIENCE);
        }
    }

    /** An empty store, to be closed by the caller. */
    public static PostgresStore open() {
        return PostgresStore.open(settings(SERVER.emptyUrl()));
    }
}
