package org.anabranch.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.anabranch.bench.load.Round;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultsTest {

    private static final Setup SETUP = new Setup("abc", "0123", 2, 1, 1, "2g");

    @TempDir
    private Path folder;

    @Test
    void aSecondRunFindsWhatTheFirstMeasured() {
        Row row = row("embedded", 10_000, "get-1", 300, 100, 500, 100);
        Results first = Results.open(folder, SETUP);
        first.add(row);
        first.add(new Figure("embedded", 10_000, Figure.LOAD_SECONDS, Row.OURS, 3.5));

        Results second = Results.open(folder, SETUP);
        assertThat(second.row("embedded", 10_000, "get-1")).contains(row);
        assertThat(second.row("embedded", 1_000, "get-1")).isEmpty();
        assertThat(second.figure("embedded", 10_000, Figure.LOAD_SECONDS, Row.OURS))
                .contains(3.5);
    }

    @Test
    void aRowThatIsMeasuredAgainTakesThePlaceOfTheOldOne() {
        Results results = Results.open(folder, SETUP);
        results.add(row("embedded", 10_000, "get-1", 1, 1));
        Row again = row("embedded", 10_000, "get-1", 2, 1);
        results.add(again);
        assertThat(Results.open(folder, SETUP).rows()).containsExactly(again);
    }

    @Test
    void figuresOfAnotherBuildAreNotMixedIn() {
        Results.open(folder, SETUP);
        Setup other = new Setup("abd", "4567", 2, 1, 1, "2g");
        assertThatThrownBy(() -> Results.open(folder, other))
                .hasMessageContaining("another set-up")
                .hasMessageContaining("--out");
    }

    @Test
    void ratiosAreThoseOfNeighbouringRounds() {
        Row row = row("embedded", 10_000, "get-1", 300, 100, 500, 250, 100, 100);
        assertThat(row.ratio(Row.OURS, Row.PEER)).contains(new Spread(2, 1, 3));
        assertThat(row.ratio(Row.OURS, "nobody")).isEmpty();
    }

    @Test
    void goalsAreComputedFromTheRowsThatAreThere() {
        Results results = Results.open(folder, SETUP);
        results.add(row("embedded", 10_000, "commit-16-writers", 600, 100));
        results.add(row("embedded", 1_000, "diff-10", 900, 100));
        results.add(row("embedded", 100_000, "diff-10", 300, 20));
        Map<String, Goal> goals = new HashMap<>();
        Goals.of(results).forEach(goal -> goals.put(goal.what(), goal));

        Goal commits = goals.get("commits, one branch, 16 writers, embedded, 10 k tables");
        assertThat(commits.measured()).hasValue(6);
        assertThat(commits.reached()).isTrue();
        Goal growth = goals.get("time of diff-10 at 100 k tables over 1 k, embedded");
        assertThat(growth.measured()).hasValue(3);
        assertThat(growth.reached()).isFalse();
        Goal diff = goals.get("diff of 10, 100 k tables, embedded");
        assertThat(diff.measured()).hasValue(15);
        assertThat(diff.reached()).isFalse();
        assertThat(goals.get("diff of 10, 100 k tables, postgresql").measured()).isEmpty();
    }

    @Test
    void theReportHasEveryRowAndMarksDisturbedOnes() throws IOException {
        Results results = Results.open(folder, SETUP);
        results.add(row("embedded", 10_000, "get-1", 300, 100));
        results.add(new Row("embedded", 10_000, "get-50", List.of(round(Row.OURS, 7, 0.5))));
        Report.write(results, Map.of("get-1", "read one table"));
        assertThat(folder.resolve("table.md"))
                .content()
                .contains("| get-1 | anabranch | 300 (300–300) |", "| 3.00 (3.00–3.00) |", "| get-50 * | anabranch |");
        assertThat(Files.readAllLines(folder.resolve("rows.csv"))).hasSize(4);
        assertThat(folder.resolve("ratios.svg"))
                .content()
                .contains("get-1, 10,000, embedded")
                .endsWith("</svg>\n");
    }

    /** With rates of ours and the peer's in turn. */
    private static Row row(String engine, int tables, String workload, double... rates) {
        List<Round> rounds = new ArrayList<>();
        for (int i = 0; i < rates.length; i++) {
            rounds.add(round(i % 2 == 0 ? Row.OURS : Row.PEER, rates[i], 0));
        }
        return new Row(engine, tables, workload, rounds);
    }

    private static Round round(String contestant, double rate, double foreignShare) {
        return new Round(contestant, rate, 10, 0, 0, 0, "", 1, 2, 3, 100, 0, 20, 200, foreignShare);
    }
}
