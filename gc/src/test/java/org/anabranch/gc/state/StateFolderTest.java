package org.anabranch.gc.state;

import static org.anabranch.testing.CatalogInMemory.table;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.anabranch.gc.Cutoff;
import org.anabranch.gc.LoggedCommit;
import org.anabranch.gc.ReferenceHead;
import org.anabranch.gc.state.CommitLog.KnownContent;
import org.anabranch.gc.state.LiveSet.Holder;
import org.anabranch.gc.state.LiveSet.LivePointer;
import org.anabranch.gc.state.Runs.Run;
import org.anabranch.gc.state.Runs.Step;
import org.anabranch.model.CommitId;
import org.anabranch.model.ContentKey;
import org.anabranch.model.ReferenceKind;
import org.anabranch.testing.CatalogInMemory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is kept, for whom, and what is refused. */
class StateFolderTest {

    private static final Instant NOW = Instant.parse("2026-11-30T12:00:00.123456Z");

    @TempDir
    private Path folder;

    private final CatalogInMemory catalog = new CatalogInMemory();

    @Test
    void runsAndTheirStepsSurvive() {
        try (StateFolder state = StateFolder.open(folder, "one")) {
            assertThat(state.runs().latest()).isEmpty();
            Run run = state.runs().begin(NOW, "policies");
            state.runs().complete(run, Step.MARK, NOW.plusSeconds(1));
        }
        try (StateFolder state = StateFolder.open(folder, "one")) {
            assertThat(state.runs().latest()).contains(new Run(1, NOW, "policies", NOW.plusSeconds(1), null, null));
            state.runs().begin(NOW.plusSeconds(9), "policies");
            assertThat(state.runs().latest().orElseThrow().markedAt()).isNull();
        }
    }

    @Test
    void oneHolderAtATime() {
        try (StateFolder held = StateFolder.open(folder, "one")) {
            assertThat(held.runs().latest()).isEmpty();
            assertThatThrownBy(() -> StateFolder.open(folder, "one"))
                    .isInstanceOf(UnusableStateException.class)
                    .hasMessageContaining(folder.toString())
                    .hasMessageContaining("in use");
        }
        StateFolder.open(folder, "one").close();
    }

    @Test
    void oneRepositoryForEver() {
        StateFolder.open(folder, "one").close();
        assertThatThrownBy(() -> StateFolder.open(folder, "two"))
                .isInstanceOf(UnusableStateException.class)
                .hasMessageContaining("--state");
        StateFolder.open(folder, "one").close();
    }

    @Test
    void otherFormatsAreRefused() throws SQLException {
        StateFolder.open(folder, "one").close();
        pragma("user_version = 99");
        assertThatThrownBy(() -> StateFolder.open(folder, "one"))
                .isInstanceOf(UnusableStateException.class)
                .hasMessageContaining("version 99");
        pragma("application_id = 7");
        assertThatThrownBy(() -> StateFolder.open(folder, "one"))
                .isInstanceOf(UnusableStateException.class)
                .hasMessageContaining("another program");
    }

    @Test
    void aFileThatIsNoDatabaseIsRefused() throws IOException {
        Files.writeString(
                folder.resolve("gc.db"),
                "This is not a database, but it is long enough to be taken for one. ".repeat(99));
        assertThatThrownBy(() -> StateFolder.open(folder, "one"))
                .isInstanceOf(UnusableStateException.class)
                .hasMessageContaining("gc.db");
    }

    @Test
    void aLineIsKnownOnlyWhenItsEndIs() {
        CommitId top = catalog.line(CommitId.NO_ANCESTOR, "t", 4);
        List<LoggedCommit> line = log(top);
        try (StateFolder state = StateFolder.open(folder, "one")) {
            CommitLog log = state.commitLog();
            assertThat(log.firstUnknown(top)).contains(top);
            log.add(line.subList(0, 2));
            assertThat(log.firstUnknown(top)).contains(line.get(2).id());
            log.add(line.subList(1, 4));
            assertThat(log.firstUnknown(top)).isEmpty();
            assertThat(log.firstUnknown(CommitId.NO_ANCESTOR)).isEmpty();
        }
    }

    @Test
    void whereContentsLayIsKnownByTheirYoungestMetadata() {
        CommitId old = catalog.line(CommitId.NO_ANCESTOR, "t", 3);
        CommitId dropped = catalog.commit(old, List.of(), ContentKey.of("t"));
        try (StateFolder state = StateFolder.open(folder, "one")) {
            state.commitLog().add(log(dropped));
            List<KnownContent> contents = new ArrayList<>();
            state.commitLog().knownContents(contents::add);
            assertThat(contents)
                    .extracting(each -> each.pointer().metadataLocation())
                    .containsExactly("s3://lake/t/metadata/v3");
        }
    }

    @Test
    void tellsWhyAPointerIsLive() {
        CommitId old = catalog.line(CommitId.NO_ANCESTOR, "t", 2);
        try (StateFolder state = StateFolder.open(folder, "one")) {
            state.commitLog().add(log(old));
            state.liveSet().markLine(new ReferenceHead(ReferenceKind.BRANCH, "main", old), Cutoff.newest(1));
            assertThat(state.liveSet().unreadAnchors()).hasSize(1);
            state.liveSet().addTree(old, List.of(table("t", "v2"), table("u", "v7")));
            assertThat(state.liveSet().holders("s3://lake/u/metadata/v7", 10))
                    .containsExactly(new Holder("main", old, ContentKey.of("u"), "id of u", 1));
            assertThat(state.liveSet().holders("s3://lake/t/metadata/v2", 10))
                    .containsExactly(new Holder("main", old, ContentKey.of("t"), "id of t", 1));
            assertThat(state.liveSet().holders("s3://lake/t/metadata/v1", 10)).isEmpty();
            List<LivePointer> live = state.liveSet().unexpanded(10);
            live.forEach(state.liveSet()::recordExpanded);
            assertThat(live).hasSize(2);
            assertThat(state.liveSet().unexpanded(10)).isEmpty();
        }
    }

    private List<LoggedCommit> log(CommitId from) {
        List<LoggedCommit> line = new ArrayList<>();
        catalog.log(from).forEachRemaining(line::add);
        return line;
    }

    private void pragma(String setting) throws SQLException {
        try (var connection = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("gc.db"));
                var statement = connection.createStatement()) {
            statement.execute("PRAGMA " + setting);
        }
    }

    @Test
    void theDocumentNamesEveryTableAndColumn() throws IOException, SQLException {
        StateFolder.open(folder, "one").close();
        Map<String, String> rows = new HashMap<>();
        Pattern row = Pattern.compile("\\| `([a-z_]+)` \\|.*\\| ([^|]*) \\|");
        for (String line : Files.readAllLines(Path.of("..", "docs", "gc-state.md"))) {
            Matcher matcher = row.matcher(line);
            if (matcher.matches()) {
                rows.put(matcher.group(1), matcher.group(2));
            }
        }
        Map<String, String> tables = new HashMap<>();
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("gc.db"));
                ResultSet columns = connection
                        .createStatement()
                        .executeQuery("SELECT t.name, c.name FROM sqlite_schema t JOIN pragma_table_info(t.name) c"
                                + " WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%' ORDER BY t.name, c.cid")) {
            while (columns.next()) {
                tables.merge(columns.getString(1), "`" + columns.getString(2) + "`", (all, one) -> all + ", " + one);
            }
        }
        assertThat(rows).isEqualTo(tables);
    }
}
