package org.anabranch.store.postgres;

import io.agroal.api.AgroalDataSource;
import io.agroal.api.AgroalDataSource.FlushMode;
import io.agroal.api.AgroalDataSourceMetrics;
import io.agroal.api.configuration.supplier.AgroalConnectionFactoryConfigurationSupplier;
import io.agroal.api.configuration.supplier.AgroalDataSourceConfigurationSupplier;
import io.agroal.api.exceptionsorter.PostgreSQLExceptionSorter;
import io.agroal.api.security.AgroalSecurityProvider;
import io.agroal.api.security.NamePrincipal;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Properties;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.anabranch.store.StoreUnavailableException;
import org.postgresql.Driver;

/** The sessions of a store: opened when they are needed, kept for the next call, replaced when they break. */
final class Connections implements AutoCloseable {

    private static final Duration TO_CONNECT = Duration.ofSeconds(5);

    /** By then the database has given up itself. */
    private static final Duration BEYOND_STATEMENT_TIME = Duration.ofSeconds(5);

    private final AgroalDataSource pool;

    /** The pool as it is asked for connections. */
    private final DataSource source;

    private final PostgresSettings settings;

    private volatile boolean closed;

    /** @param watched what is asked for connections in place of the pool, and asks it */
    Connections(PostgresSettings settings, UnaryOperator<DataSource> watched) {
        this.settings = settings;
        try {
            pool = AgroalDataSource.from(new AgroalDataSourceConfigurationSupplier()
                    .metricsEnabled()
                    .connectionPoolConfiguration(sessions -> sessions.maxSize(settings.connections())
                            .acquisitionTimeout(settings.connectionTime())
                            .reapTimeout(Duration.ofMinutes(5))
                            .exceptionSorter(new PostgreSQLExceptionSorter())
                            .connectionFactoryConfiguration(factory -> configure(factory, settings))));
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        source = watched.apply(pool);
    }

    /**
     * A session in auto-commit mode, to be closed by the caller.
     *
     * @throws SQLException if none can be opened, or none became free in time
     */
    Connection open() throws SQLException {
        return source.getConnection();
    }

    /** As {@link #open}, for calls that need the database now. */
    Connection take() {
        if (closed) {
            throw new StoreUnavailableException("The store is closed", null);
        }
        try {
            return open();
        } catch (SQLException e) {
            // What the database or the network says has a code; what the pool says has none.
            throw new StoreUnavailableException(
                    e.getSQLState() == null
                            ? "None of " + settings.connections()
                                    + " connections to PostgreSQL was free or made within "
                                    + settings.connectionTime().toMillis() + " ms"
                            : "PostgreSQL cannot be reached: " + e.getMessage(),
                    e);
        }
    }

    /** Drops the idle ones. If one broke, the others may have been cut off with it. */
    void dropIdle() {
        if (!closed) {
            pool.flush(FlushMode.IDLE);
        }
    }

    ConnectionUse use() {
        AgroalDataSourceMetrics now = pool.getMetrics();
        return new ConnectionUse(
                now.activeCount(),
                now.availableCount(),
                settings.connections(),
                now.awaitingCount(),
                now.creationCount(),
                now.destroyCount());
    }

    @Override
    public void close() {
        closed = true;
        pool.close();
    }

    private static AgroalConnectionFactoryConfigurationSupplier configure(
            AgroalConnectionFactoryConfigurationSupplier factory, PostgresSettings settings) {
        settings.user().map(NamePrincipal::new).ifPresent(factory::principal);
        return factory.jdbcUrl(settings.url())
                .connectionProviderClass(Driver.class)
                .addSecurityProvider(PasswordOfTheMoment.PROVIDER)
                .credential(new PasswordOfTheMoment(settings))
                .jdbcProperty("ApplicationName", "anabranch")
                .jdbcProperty("connectTimeout", String.valueOf(TO_CONNECT.toSeconds()))
                .jdbcProperty(
                        "socketTimeout",
                        String.valueOf(settings.statementTime()
                                .plus(BEYOND_STATEMENT_TIME)
                                .toSeconds()))
                .jdbcProperty("tcpKeepAlive", "true")
                .initialSql(sessionSettings(settings));
    }

    /**
     * Every query has its index. Without the third setting, one that is planned while its table is empty reads the whole table
     * until the next statistics, however large it has become. Without the fourth, the database plans a statement with arrays anew
     * each time, because it knows how long they are, and comes to the same plan.
     */
    private static String sessionSettings(PostgresSettings settings) {
        return "SET default_transaction_isolation = 'read committed';"
                + " SET statement_timeout = " + settings.statementTime().toMillis() + ";"
                + " SET enable_seqscan = off;"
                + " SET plan_cache_mode = force_generic_plan";
    }

    private record PasswordOfTheMoment(PostgresSettings settings) {

        static final AgroalSecurityProvider PROVIDER = credential -> {
            if (!(credential instanceof PasswordOfTheMoment moment)) {
                return null;
            }
            Properties properties = new Properties();
            moment.settings().password().get().ifPresent(password -> properties.setProperty("password", password));
            return properties;
        };
    }
}
