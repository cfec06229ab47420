package org.anabranch.database;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.anabranch.ports.FreePort;
import org.jspecify.annotations.Nullable;

/**
 * A real PostgreSQL on a free port of this machine, which can be killed and started again on its data. The binaries come with
 * the build.
 *
 * <p>{@link #shared} is one for all tests of a process, and with {@code -Dpostgres.url=jdbc:postgresql://...},
 * {@code -Dpostgres.user} and {@code -Dpostgres.password} one that runs already. Tests stay apart by schema.
 */
public final class PostgresServer implements AutoCloseable {

    private static final String SUPERUSER = "postgres";
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final AtomicInteger SCHEMAS = new AtomicInteger();

    private static @Nullable PostgresServer shared;

    private final Map<String, String> settings;
    private final @Nullable Path folder;
    private final int port;
    private final String url;
    private final String user;
    private final String password;
    private @Nullable EmbeddedPostgres running;

    private PostgresServer(
            @Nullable Path folder, int port, String url, String user, String password, Map<String, String> settings) {
        this.folder = folder;
        this.port = port;
        this.url = url;
        this.user = user;
        this.password = password;
        this.settings = settings;
    }

    /** The one of this process, started when it is first asked for and never stopped by a test. */
    public static synchronized PostgresServer shared() {
        if (shared == null) {
            String external = System.getProperty("postgres.url", "");
            shared = external.isEmpty()
                    ? start(Map.of())
                    : new PostgresServer(
                            null,
                            0,
                            external,
                            System.getProperty("postgres.user", SUPERUSER),
                            System.getProperty("postgres.password", ""),
                            Map.of());
        }
        return shared;
    }

    /** A server of its caller's own, with settings as in {@code postgresql.conf}. */
    public static PostgresServer start(Map<String, String> settings) {
        try {
            Path folder = Files.createTempDirectory("postgres");
            int port = FreePort.choose();
            PostgresServer server = new PostgresServer(
                    folder, port, "jdbc:postgresql://127.0.0.1:" + port + "/postgres", SUPERUSER, "", settings);
            Runtime.getRuntime().addShutdownHook(new Thread(server::close));
            server.start();
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Starts it on its data, after {@link #kill} or {@link #stop}. */
    public synchronized void start() throws IOException {
        EmbeddedPostgres.Builder builder = EmbeddedPostgres.builder()
                .setDataDirectory(folder)
                .setCleanDataDirectory(false)
                .setRegisterShutdownHook(false)
                .setPort(port)
                .setPGStartupWait(PATIENCE)
                .setOutputRedirector(ProcessBuilder.Redirect.DISCARD)
                .setErrorRedirector(ProcessBuilder.Redirect.DISCARD)
                .setLocaleConfig("locale", "C")
                .setLocaleConfig("encoding", "UTF8")
                // The library's own default is to run without syncing.
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                .setServerConfig("full_page_writes", "on")
                .setServerConfig("max_connections", "200");
        settings.forEach(builder::setServerConfig);
        running = builder.start();
    }

    /** Ends all of its processes at once, as a power cut would, apart from what the system still holds for the disk. */
    public synchronized void kill() throws IOException {
        ProcessHandle postmaster = postmaster().orElseThrow();
        suspend(postmaster);
        List<ProcessHandle> all = new ArrayList<>(postmaster.descendants().toList());
        all.add(postmaster);
        all.forEach(ProcessHandle::destroyForcibly);
        all.forEach(PostgresServer::awaitEnd);
        running.close();
        running = null;
    }

    private Optional<ProcessHandle> postmaster() throws IOException {
        Path pid = folder.resolve("postmaster.pid");
        return Files.exists(pid)
                ? ProcessHandle.of(
                        Long.parseLong(Files.readAllLines(pid).getFirst().trim()))
                : Optional.empty();
    }

    /** So that it starts no process any more, neither for a client nor in place of one that has ended. */
    private static void suspend(ProcessHandle process) throws IOException {
        Process command = new ProcessBuilder("kill", "-STOP", Long.toString(process.pid()))
                .inheritIO()
                .start();
        try {
            if (command.waitFor() != 0) {
                throw new IllegalStateException("kill -STOP ended with status " + command.exitValue());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while suspending a process", e);
        }
    }

    private static void awaitEnd(ProcessHandle process) {
        try {
            process.onExit().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (TimeoutException | ExecutionException e) {
            throw new IllegalStateException("waiting for the end of process " + process.pid(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for the end of a process", e);
        }
    }

    /** Stops it in an orderly way, breaking off what its clients are at. */
    public synchronized void stop() throws IOException {
        if (running != null) {
            Optional<ProcessHandle> postmaster = postmaster();
            running.close();
            running = null;
            // What stops it gives up after five seconds, and it goes on ending.
            postmaster.ifPresent(PostgresServer::awaitEnd);
        }
    }

    /** Of its data and its configuration files; null for an external one. */
    public @Nullable Path folder() {
        return folder;
    }

    /** Where its database {@code postgres} answers. */
    public String url() {
        return url;
    }

    /** The port it listens on; 0 for an external one. */
    public int port() {
        return port;
    }

    public String user() {
        return user;
    }

    public String password() {
        return password;
    }

    /** A url at which nothing is stored yet: of a new schema in the database. */
    public String emptyUrl() {
        String schema = "test_" + ProcessHandle.current().pid() + "_" + SCHEMAS.incrementAndGet();
        execute("CREATE SCHEMA " + schema);
        return url + (url.contains("?") ? "&" : "?") + "currentSchema=" + schema;
    }

    /** Executes statements as the superuser. */
    public void execute(String sql) {
        try (Connection connection = connect(url);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A connection of the superuser to a url of this server. */
    public Connection connect(String url) throws SQLException {
        return DriverManager.getConnection(url, user, password);
    }

    /** Stops it and deletes its data. A second call does nothing. */
    @Override
    public synchronized void close() {
        try {
            stop();
            if (folder != null && Files.exists(folder)) {
                deleteRecursively(folder);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void deleteRecursively(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(each);
            }
        }
    }
}
