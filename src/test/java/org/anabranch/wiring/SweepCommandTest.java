package org.anabranch.wiring;

import static org.anabranch.testing.Callers.UNRESTRICTED;
import static org.anabranch.testing.TestCatalog.MAIN;
import static org.anabranch.testing.TestCatalog.put;
import static org.anabranch.testing.TestCatalog.table;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.anabranch.model.ReferenceKind;
import org.anabranch.store.embedded.EmbeddedStore;
import org.anabranch.testing.ReferenceCatalog;
import org.anabranch.testing.TestCatalog;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command {@code sweep} on a folder: what it says, and how it ends. */
class SweepCommandTest {

    @TempDir
    Path folder;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int sweep(String... options) {
        List<String> args = new ArrayList<>(List.of("--store", "embedded", "--data", folder.toString()));
        args.addAll(List.of(options));
        return SweepCommand.run(args.toArray(String[]::new), stream(out), stream(err));
    }

    private static PrintStream stream(ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }

    private String output() {
        String text = out.toString(StandardCharsets.UTF_8);
        out.reset();
        return text;
    }

    /** One commit on main, and two of a branch that was deleted. */
    private void aRepository() {
        try (EmbeddedStore store = EmbeddedStore.open(folder);
                ReferenceCatalog catalog = new ReferenceCatalog(store)) {
            TestCatalog commits = catalog.commits();
            commits.commit(MAIN, put("a", table("one")));
            catalog.create("gone", ReferenceKind.BRANCH, commits.head(MAIN));
            commits.commit("gone", put("b", table("two")));
            commits.commit("gone", put("c", table("three")));
            catalog.delete().delete(TestCatalog.at("gone", commits.head("gone")), null, UNRESTRICTED, null);
        }
    }

    @Test
    void theFirstSweepCondemnsAndALaterOneDeletes() throws Exception {
        aRepository();

        assertThat(sweep("--dry-run")).isEqualTo(SweepCommand.SWEPT);
        assertThat(output()).contains("lead to 1 of 3 commits").contains("2 would be condemned");
        assertThat(sweep()).isEqualTo(SweepCommand.SWEPT);
        assertThat(output()).contains("0 commits deleted, 2 condemned, 0 spared, 0 wait for the grace period");
        assertThat(sweep()).isEqualTo(SweepCommand.SWEPT);
        assertThat(output()).contains("0 commits deleted, 0 condemned, 0 spared, 2 wait for the grace period");
        try (EmbeddedStore store = EmbeddedStore.open(folder)) {
            List<Long> numbers = store.condemned(0, 10).stream()
                    .map(condemned -> condemned.number())
                    .toList();
            store.spare(numbers);
            store.condemn(numbers, 1);
        }

        assertThat(sweep("--report", "-")).isEqualTo(SweepCommand.SWEPT);

        JsonNode report = new ObjectMapper().readTree(output());
        assertThat(report.at("/deleted").asLong()).isEqualTo(2);
        assertThat(report.at("/reached").asLong()).isEqualTo(1);
        assertThat(report.at("/mode").asText()).isEqualTo("SWEEP");
        assertThat(CheckCommand.run(
                        new String[] {"--store", "embedded", "--data", folder.toString()}, stream(out), stream(err)))
                .isEqualTo(CheckCommand.CLEAN);
        assertThat(output()).contains("1 of 1 commits");
    }

    @Test
    void whatCannotBeRunIsSaidInASentence() {
        assertThat(sweep()).isEqualTo(SweepCommand.NOT_SWEPT);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("there is no store in " + folder);

        assertThat(sweep("--grace", "5S")).isEqualTo(SweepCommand.NOT_SWEPT);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("anabranch.sweep.grace (PT5S) must be a minute");

        assertThat(sweep("--service", "http://127.0.0.1:9")).isEqualTo(SweepCommand.NOT_SWEPT);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("--service sweeps the store of that service");

        String[] nobody = {"--service", "http://127.0.0.1:1"};
        assertThat(SweepCommand.run(nobody, stream(out), stream(err))).isEqualTo(SweepCommand.NOT_SWEPT);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("no service answers as it should");
    }
}
