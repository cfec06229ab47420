package org.anabranch.wiring;

import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import org.anabranch.api.secret.SecretFile;
import org.anabranch.store.StoreUnavailableException;
import org.anabranch.store.postgres.PostgresSettings;
import org.anabranch.store.postgres.PostgresStore;
import org.jboss.logging.Logger;

/** The store on PostgreSQL as the configuration says. */
final class Database {

    private static final Logger LOG = Logger.getLogger("anabranch");

    private static final String PREFIX = "anabranch.store.postgresql.";

    private Database() {}

    /** What to say where a database is named and commits are kept elsewhere, as when only its url was given. */
    static Optional<String> warning(AnabranchConfig.Store store) {
        return store.type() == AnabranchConfig.Store.Type.POSTGRESQL
                ? Optional.empty()
                : store.postgresql()
                        .url()
                        .map(url -> PREFIX
                                + "url (--url) is given and not used, because anabranch.store.type (--store) is '"
                                + store.type().name().toLowerCase(Locale.ROOT)
                                + "': set it to 'postgresql' if commits are to be kept there");
    }

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
        config.passwordFile().ifPresent(Database::password);
        return new PostgresSettings(
                url,
                config.user(),
                () -> config.passwordFile().map(Database::passwordNow).or(config::password),
                config.connections(),
                config.connectionTime(),
                config.statementTime());
    }

    private static String password(Path file) {
        return SecretFile.read(PREFIX + "password-file (--password-file)", file);
    }

    /** For a connection of a service that runs: whoever writes the file anew may not be through, and later calls find it whole. */
    private static String passwordNow(Path file) {
        try {
            return password(file);
        } catch (IllegalArgumentException e) {
            throw new StoreUnavailableException(String.valueOf(e.getMessage()), e);
        }
    }
}
