package org.anabranch.wiring;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.anabranch.store.postgres.PostgresSettings;
import org.anabranch.store.postgres.PostgresStore;
import org.jboss.logging.Logger;

/** The store on PostgreSQL as the configuration says. */
final class Database {

    private static final Logger LOG = Logger.getLogger("anabranch");

    private static final String PREFIX = "anabranch.store.postgresql.";

    private Database() {}

    static PostgresStore open(AnabranchConfig.Store.Postgresql config, Traces traces) {
        PostgresStore store = PostgresStore.open(settings(config), traces::traced);
        store.weaknesses().forEach(LOG::warn);
        return store;
    }

    static PostgresSettings settings(AnabranchConfig.Store.Postgresql config) {
        String url = config.url()
                .orElseThrow(() -> new IllegalArgumentException(
                        "the store on PostgreSQL needs " + PREFIX + "url (--url jdbc:postgresql://HOST/DATABASE)"));
        if (!url.startsWith("jdbc:postgresql:")) {
            throw new IllegalArgumentException(
                    PREFIX + "url (--url) must have the form jdbc:postgresql://HOST:PORT/DATABASE");
        }
        if (config.password().isPresent() && config.passwordFile().isPresent()) {
            throw new IllegalArgumentException(
                    "give one of " + PREFIX + "password and " + PREFIX + "password-file, not both");
        }
        config.passwordFile().ifPresent(Database::firstLine);
        return new PostgresSettings(
                url,
                config.user(),
                () -> config.passwordFile().map(Database::firstLine).or(config::password),
                config.connections(),
                config.connectionTime(),
                config.statementTime());
    }

    private static String firstLine(Path file) {
        try {
            List<String> lines = Files.readAllLines(file);
            return lines.isEmpty() ? "" : lines.getFirst();
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "the file " + file + " of " + PREFIX + "password-file (--password-file) cannot be read: " + e);
        }
    }
}
