package org.anabranch.store.postgres;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * How to reach a database, and how long to wait for it.
 *
 * @param url as the JDBC driver takes it, {@code jdbc:postgresql://host:port/database?...}. What it says about the connection
 *     is stronger than the driver properties that the store sets
 * @param user empty if the url or the operating system says who connects
 * @param password asked for each new connection, so that it may change under a running process; empty if none
 *     is needed. May throw {@link org.anabranch.store.StoreUnavailableException}
 * @param connections the most that are open at once
 * @param connectionTime how long a call waits for one of them
 * @param statementTime how long the database works on one statement, waiting for locks included
 */
public record PostgresSettings(
        String url,
        Optional<String> user,
        Supplier<Optional<String>> password,
        int connections,
        Duration connectionTime,
        Duration statementTime) {

    private static final String SCHEME = "jdbc:postgresql:";

    public PostgresSettings {
        if (!url.startsWith(SCHEME)) {
            throw new IllegalArgumentException("The address of a database starts with " + SCHEME);
        }
        if (connections < 1 || connectionTime.toMillis() < 1 || statementTime.toMillis() < 1) {
            throw new IllegalArgumentException("At least one connection and times from one millisecond on are needed");
        }
    }

    /** Hosts and database, without what may be secret. */
    public String place() {
        return url.substring(SCHEME.length()).replaceFirst("\\?.*", "").replaceFirst("^//", "");
    }
}
