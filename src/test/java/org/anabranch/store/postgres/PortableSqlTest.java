package org.anabranch.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Our SQL keeps to what distributed databases on PostgreSQL's wire protocol have as well. */
class PortableSqlTest {

    private static final Pattern NOT_EVERYWHERE = Pattern.compile(
            "pg_(try_)?advisory|\\blisten\\b|\\bnotify\\b|pg_notify|serial\\b|\\bidentity\\b|\\bsequence\\b|nextval"
                    + "|\\btemp(orary)?\\b|skip\\s+locked|create\\s+extension|lock\\s+table|\\btrigger\\b|\\bctid\\b|\\bxmin\\b",
            Pattern.CASE_INSENSITIVE);

    @Test
    void nothingIsUsedThatTheyLack() throws IOException {
        List<String> found = new ArrayList<>();
        List<Path> read = new ArrayList<>();
        for (String folder : List.of("main/java", "main/resources")) {
            try (Stream<Path> files = Files.list(Path.of(folder, "org/anabranch/store/postgres"))) {
                read.addAll(files.toList());
            }
        }
        for (Path file : read) {
            NOT_EVERYWHERE
                    .matcher(Files.readString(file))
                    .results()
                    .forEach(match -> found.add(file.getFileName() + ": " + match.group()));
        }

        assertThat(found).isEmpty();
        assertThat(read)
                .extracting(file -> file.getFileName().toString())
                .contains("WriteStatement.java", "Queries.java", "schema-1.sql");
    }

    @Test
    void whatIsForbiddenIsRecognized() {
        for (String sql : List.of(
                "SELECT pg_advisory_lock(1)",
                "select pg_try_advisory_xact_lock(1)",
                "LISTEN heads",
                "NOTIFY heads",
                "id BIGSERIAL",
                "GENERATED ALWAYS AS IDENTITY",
                "CREATE SEQUENCE numbers",
                "CREATE TEMP TABLE t",
                "create temporary table t",
                "FOR UPDATE SKIP  LOCKED",
                "CREATE EXTENSION pgcrypto")) {
            assertThat(sql).containsPattern(NOT_EVERYWHERE);
        }
    }
}
