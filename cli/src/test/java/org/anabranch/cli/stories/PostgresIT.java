package org.anabranch.cli.stories;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import org.anabranch.certificates.TestAuthority;
import org.anabranch.certificates.TestAuthority.Issued;
import org.anabranch.cli.service.ServiceProcess;
import org.anabranch.database.PostgresServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The service on PostgreSQL as an operator sees it: with a password, through a restart of the database, and refused. */
@Timeout(120)
class PostgresIT {

    private static final String FIRST_PASSWORD = "swordfish-1";
    private static final String SECOND_PASSWORD = "swordfish-2";

    @TempDir
    private Path folder;

    private PostgresServer server;
    private Path passwordFile;

    /** A database of the user {@code keeper}, who needs a password. */
    @BeforeEach
    void createDatabase() throws IOException {
        RunningService.assumeNoneIsGiven();
        server = PostgresServer.start(Map.of());
        Path access = server.folder().resolve("pg_hba.conf");
        Files.writeString(access, "host all keeper 127.0.0.1/32 scram-sha-256\n" + Files.readString(access));
        server.execute("SELECT pg_reload_conf()");
        server.execute("CREATE ROLE keeper LOGIN PASSWORD '" + FIRST_PASSWORD + "'");
        server.execute("CREATE DATABASE lake OWNER keeper");
        passwordFile = Files.writeString(folder.resolve("password"), FIRST_PASSWORD + "\n");
    }

    @AfterEach
    void stopDatabase() {
        if (server != null) {
            server.close();
        }
    }

    private ServiceProcess serve() {
        return serve("");
    }

    /** @param parameters of the url */
    private ServiceProcess serve(String parameters) {
        return ServiceProcess.startOn(
                List.of(
                        "--store",
                        "postgresql",
                        "--url",
                        "jdbc:postgresql://127.0.0.1:" + server.port() + "/lake" + parameters,
                        "--user",
                        "keeper",
                        "--password-file",
                        passwordFile.toString()),
                folder);
    }

    private static HttpResponse<String> commit(Http http, String message) throws Exception {
        return PlainCommit.send(http, "main", PlainCommit.body(message));
    }

    private String log() throws IOException {
        return Files.readString(folder.resolve("service.log"));
    }

    @Test
    void itServesThroughAnEndOfTheDatabaseAndAChangeOfThePassword() throws Exception {
        try (ServiceProcess service = serve();
                Http http = new Http(service.api())) {
            assertThat(commit(http, "before").statusCode()).isEqualTo(200);

            server.kill();
            assertThat(commit(http, "without a database").statusCode()).isEqualTo(503);
            assertThat(service.isReady()).isFalse();

            server.start();
            server.execute("ALTER ROLE keeper PASSWORD '" + SECOND_PASSWORD + "'");
            Files.writeString(passwordFile, SECOND_PASSWORD + "\n");
            assertThat(commit(http, "after").statusCode()).isEqualTo(200);
            assertThat(service.isReady()).isTrue();
            assertThat(http.get("/trees/main/history").findValuesAsText("message"))
                    .containsExactly("after", "before");
        }
        assertThat(log())
                .contains("keeps its commits in PostgreSQL at 127.0.0.1:" + server.port() + "/lake")
                .doesNotContain("swordfish");
    }

    @Test
    void itSpeaksTlsWithADatabaseThatItKnows() throws Exception {
        TestAuthority authority = TestAuthority.create("authority");
        Issued certificate = authority.issue("database");
        certificate.writeCertificate(server.folder().resolve("server.crt"));
        Path key = Files.createFile(
                server.folder().resolve("server.key"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        certificate.writeKey(key);
        Path access = server.folder().resolve("pg_hba.conf");
        Files.writeString(access, Files.readString(access).replace("host all keeper", "hostssl all keeper"));
        server.execute("ALTER SYSTEM SET ssl = on");
        server.execute("SELECT pg_reload_conf()");

        String known = "?sslmode=verify-full&sslrootcert=" + authority.write(folder.resolve("known.crt"));
        try (ServiceProcess service = serve(known);
                Http http = new Http(service.api())) {
            assertThat(commit(http, "encrypted").statusCode()).isEqualTo(200);
            assertThat(encryptedConnectionsOfKeeper()).isPositive();
        }

        String another = "?sslmode=verify-full&sslrootcert="
                + TestAuthority.create("another").write(folder.resolve("another.crt"));
        assertThatThrownBy(() -> serve(another).close()).hasMessageContaining("ended with status 1");
        assertThat(log()).contains("anabranch: ").doesNotContain("swordfish");
    }

    private int encryptedConnectionsOfKeeper() throws SQLException {
        try (Connection connection = server.connect(server.url());
                Statement statement = connection.createStatement();
                ResultSet count = statement.executeQuery("SELECT count(*) FROM pg_stat_ssl JOIN pg_stat_activity"
                        + " USING (pid) WHERE ssl AND usename = 'keeper'")) {
            count.next();
            return count.getInt(1);
        }
    }

    @Test
    void aWrongPasswordIsToldInOneSentence() throws Exception {
        Files.writeString(passwordFile, "swordfish-3\n");

        assertThatThrownBy(() -> serve().close()).hasMessageContaining("ended with status 1");
        assertThat(log().strip())
                .matches("anabranch: PostgreSQL at 127.0.0.1:\\d+/lake does not let the user 'keeper' in \\(.*\\):"
                        + " check anabranch.store.postgresql.user .*")
                .doesNotContain("swordfish");
    }

    @Test
    void aServerThatMayLoseCommitsIsWarnedOf() throws Exception {
        server.execute("ALTER DATABASE lake SET synchronous_commit = off");

        try (ServiceProcess service = serve()) {
            assertThat(service.isReady()).isTrue();
            assertThat(log())
                    .contains("WARN  PostgreSQL runs with synchronous_commit = off: acknowledged commits of the last"
                            + " moments are lost when its server crashes. Set it to on.");
        }
    }
}
