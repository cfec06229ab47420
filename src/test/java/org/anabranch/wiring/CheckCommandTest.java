package org.anabranch.wiring;

import static org.anabranch.testing.TestCatalog.MAIN;
import static org.anabranch.testing.TestCatalog.put;
import static org.anabranch.testing.TestCatalog.table;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.anabranch.store.embedded.EmbeddedStore;
import org.anabranch.testing.TestCatalog;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command {@code check} on a folder: what it says, and how it ends. */
class CheckCommandTest {

    @TempDir
    Path folder;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int check(String... options) {
        List<String> args = new ArrayList<>(List.of("--store", "embedded", "--data", folder.toString()));
        args.addAll(List.of(options));
        return CheckCommand.run(args.toArray(String[]::new), stream(out), stream(err));
    }

    private static PrintStream stream(ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }

    private void aRepository() {
        try (EmbeddedStore store = EmbeddedStore.open(folder);
                TestCatalog catalog = new TestCatalog(store)) {
            catalog.commit(MAIN, put("a", table("one")));
            catalog.commit(MAIN, put("b", table("two")));
        }
    }

    @Test
    void aCleanRepositoryEndsWith0() {
        aRepository();

        assertThat(check()).isEqualTo(CheckCommand.CLEAN);
        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("2 of 2 commits that they reach verified")
                .contains("Nothing is wrong.");
        assertThat(check("--quick")).isEqualTo(CheckCommand.CLEAN);
    }

    @Test
    void findingsEndWith1AndAreReported() throws Exception {
        aRepository();
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("store.sqlite"));
                Statement statement = connection.createStatement()) {
            statement.execute(
                    "UPDATE chunk SET bytes = x'010000' || substr(bytes, 4) WHERE address = (SELECT min(address) FROM chunk)");
        }
        Path report = folder.resolve("report.json");

        assertThat(check("--report", report.toString())).isEqualTo(CheckCommand.FINDINGS);

        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("UNREADABLE  main  row ")
                .contains("checksum");
        JsonNode json = new ObjectMapper().readTree(Files.readString(report));
        assertThat(json.at("/clean").asBoolean()).isFalse();
        assertThat(json.at("/findings/0/kind").asText()).isEqualTo("UNREADABLE");
        assertThat(json.at("/findings/0/row").asLong()).isPositive();
    }

    @Test
    void theReportMayGoToTheOutputAlone() throws Exception {
        aRepository();

        assertThat(check("--report", "-")).isEqualTo(CheckCommand.CLEAN);

        JsonNode json = new ObjectMapper().readTree(out.toString(StandardCharsets.UTF_8));
        assertThat(json.at("/commits").asLong()).isEqualTo(2);
    }

    @Test
    void aFolderWithoutAStoreStaysAsItIs() {
        assertThat(check()).isEqualTo(CheckCommand.NOT_CHECKED);

        assertThat(err.toString(StandardCharsets.UTF_8)).contains("there is no store in " + folder);
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void aFolderInUseSaysHowToCheckBesideItsHolder() {
        aRepository();
        try (EmbeddedStore held = EmbeddedStore.open(folder)) {
            assertThat(check()).isEqualTo(CheckCommand.NOT_CHECKED);
            assertThat(held.repository()).isPresent();
        }
        assertThat(err.toString(StandardCharsets.UTF_8))
                .contains("is in use by")
                .contains("--service");
    }

    @Test
    void whatCannotBeRunIsSaidInASentence() {
        assertThat(check("--service", "http://127.0.0.1:9")).isEqualTo(CheckCommand.NOT_CHECKED);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("--service checks the store of that service");

        String[] nobody = {"--service", "http://127.0.0.1:1"};
        assertThat(CheckCommand.run(nobody, stream(out), stream(err))).isEqualTo(CheckCommand.NOT_CHECKED);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("no service answers as it should");

        assertThat(check("--fast")).isEqualTo(CheckCommand.NOT_CHECKED);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("Unknown option: '--fast'");
    }
}
