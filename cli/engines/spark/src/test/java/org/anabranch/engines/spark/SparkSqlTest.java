package org.anabranch.engines.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/**
 * What people type: Spark SQL with the statements of the Nessie extensions, on Iceberg tables in the service that
 * {@code -Danabranch.uri} names.
 *
 * <p>Every test has a namespace and branches of its own, and begins on {@code main}. The statements and their rows are
 * printed.
 */
class SparkSqlTest {

    @TempDir
    static Path warehouse;

    private static SparkSession spark;

    /** Namespace of the test, and prefix of its branches; new for each run, because the service may be an old one. */
    private String own;

    @BeforeAll
    static void startSpark() {
        spark = SparkSession.builder()
                .master("local[1]")
                .config("spark.driver.host", "127.0.0.1")
                .config("spark.driver.bindAddress", "127.0.0.1")
                .config("spark.ui.enabled", false)
                .config("spark.sql.shuffle.partitions", 1)
                .config(
                        "spark.sql.extensions",
                        "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions,"
                                + "org.projectnessie.spark.extensions.NessieSparkSessionExtensions")
                .config("spark.sql.catalog.lake", "org.apache.iceberg.spark.SparkCatalog")
                .config("spark.sql.catalog.lake.type", "nessie")
                .config("spark.sql.catalog.lake.uri", System.getProperty("anabranch.uri"))
                .config("spark.sql.catalog.lake.client-api-version", 2)
                .config("spark.sql.catalog.lake.ref", "main")
                .config("spark.sql.catalog.lake.warehouse", warehouse.toUri().toString())
                .config("spark.sql.catalog.lake.cache-enabled", false)
                .getOrCreate();
    }

    @AfterAll
    static void stopSpark() {
        spark.stop();
    }

    @BeforeEach
    void beginOnMain(TestInfo test) {
        System.out.printf("%n-- %s%n", test.getTestMethod().orElseThrow().getName());
        own = "n" + UUID.randomUUID().toString().substring(0, 8);
        sql("USE REFERENCE main IN lake");
        sql("CREATE NAMESPACE lake.%s".formatted(own));
    }

    @Test
    void whatABranchHoldsIsSeenOnMainAfterTheMerge() {
        sql("CREATE TABLE lake.%s.rivers (name STRING, km INT) USING iceberg".formatted(own));
        sql("INSERT INTO lake.%s.rivers VALUES ('Elbe', 1094)".formatted(own));

        sql("CREATE BRANCH %s_dev IN lake FROM main".formatted(own));
        sql("USE REFERENCE %s_dev IN lake".formatted(own));
        sql("INSERT INTO lake.%s.rivers VALUES ('Oder', 840)".formatted(own));
        sql("CREATE TABLE lake.%s.lakes USING iceberg AS SELECT 'Ladoga' AS name".formatted(own));
        assertThat(rivers()).containsExactly("Elbe 1094", "Oder 840");

        sql("USE REFERENCE main IN lake");
        assertThat(rivers()).containsExactly("Elbe 1094");
        assertThat(tables()).containsExactly("rivers");

        sql("MERGE BRANCH %s_dev INTO main IN lake".formatted(own));
        assertThat(rivers()).containsExactly("Elbe 1094", "Oder 840");
        assertThat(tables()).containsExactly("lakes", "rivers");
    }

    @Test
    void rowsAreMergedIntoATableOnABranch() {
        sql("CREATE BRANCH %s_dev IN lake FROM main".formatted(own));
        sql("USE REFERENCE %s_dev IN lake".formatted(own));
        sql("CREATE TABLE lake.%s.rivers (name STRING, km INT) USING iceberg".formatted(own));
        sql("INSERT INTO lake.%s.rivers VALUES ('Elbe', 1), ('Oder', 840)".formatted(own));

        sql(("MERGE INTO lake.%s.rivers r USING (SELECT 'Elbe' AS name, 1094 AS km UNION ALL SELECT 'Rhine', 1233) s"
                        + " ON r.name = s.name WHEN MATCHED THEN UPDATE SET r.km = s.km WHEN NOT MATCHED THEN INSERT *")
                .formatted(own));
        sql("DELETE FROM lake.%s.rivers WHERE name = 'Oder'".formatted(own));

        assertThat(rivers()).containsExactly("Elbe 1094", "Rhine 1233");
    }

    @Test
    void theLogTellsTheCommitsNewestFirst() {
        sql("CREATE BRANCH %s_dev IN lake FROM main".formatted(own));
        sql("USE REFERENCE %s_dev IN lake".formatted(own));
        sql("CREATE TABLE lake.%s.rivers (name STRING, km INT) USING iceberg".formatted(own));
        sql("INSERT INTO lake.%s.rivers VALUES ('Elbe', 1094)".formatted(own));

        List<Row> log = sql("SHOW LOG %s_dev IN lake".formatted(own));

        assertThat(log).hasSizeGreaterThanOrEqualTo(3);
        assertThat(log.stream().limit(3).map(row -> row.<String>getAs("message")))
                .satisfiesExactly(
                        append -> assertThat(append).contains("append").contains("rivers"),
                        create -> assertThat(create).contains("table created").contains("rivers"),
                        namespace -> assertThat(namespace)
                                .contains("create namespace")
                                .contains(own));
        assertThat(log.get(0).<String>getAs("hash")).isEqualTo(head(own + "_dev"));
    }

    @Test
    void earlierStatesAreReadByCommitByTagAndBySnapshot() {
        sql("CREATE TABLE lake.%s.rivers (name STRING, km INT) USING iceberg".formatted(own));
        sql("INSERT INTO lake.%s.rivers VALUES ('Elbe', 1094)".formatted(own));
        String earlier = head("main");
        sql("CREATE TAG %s_release IN lake FROM main".formatted(own));
        long snapshot = sql("SELECT snapshot_id FROM lake.%s.rivers.snapshots".formatted(own))
                .get(0)
                .getLong(0);
        sql("INSERT INTO lake.%s.rivers VALUES ('Oder', 840)".formatted(own));

        assertThat(names("lake.%s.`rivers@main`".formatted(own))).containsExactly("Elbe", "Oder");
        assertThat(names("lake.%s.`rivers@main#%s`".formatted(own, earlier))).containsExactly("Elbe");
        assertThat(names("lake.%s.`rivers@%s_release`".formatted(own, own))).containsExactly("Elbe");
        assertThat(names("lake.%s.rivers VERSION AS OF %d".formatted(own, snapshot)))
                .containsExactly("Elbe");

        sql("USE REFERENCE main AT %s IN lake".formatted(earlier));
        assertThat(rivers()).containsExactly("Elbe 1094");
        sql("USE REFERENCE %s_release IN lake".formatted(own));
        assertThat(rivers()).containsExactly("Elbe 1094");
    }

    @Test
    void aMergeOfWhatBothChangedIsRefusedAndChangesNothing() {
        sql("CREATE TABLE lake.%s.rivers (name STRING, km INT) USING iceberg".formatted(own));
        sql("CREATE BRANCH %s_dev IN lake FROM main".formatted(own));
        sql("INSERT INTO lake.%s.rivers VALUES ('Elbe', 1094)".formatted(own));
        sql("USE REFERENCE %s_dev IN lake".formatted(own));
        sql("INSERT INTO lake.%s.rivers VALUES ('Oder', 840)".formatted(own));
        String main = head("main");

        assertThatThrownBy(() -> sql("MERGE BRANCH %s_dev INTO main IN lake".formatted(own)))
                .hasMessageContaining(own + ".rivers");

        assertThat(head("main")).isEqualTo(main);
        sql("USE REFERENCE main IN lake");
        assertThat(rivers()).containsExactly("Elbe 1094");
    }

    @Test
    void aBranchIsSetToMainAndDropped() {
        sql("CREATE BRANCH %s_dev IN lake FROM main".formatted(own));
        sql("CREATE TABLE lake.%s.rivers (name STRING, km INT) USING iceberg".formatted(own));
        assertThat(head(own + "_dev")).isNotEqualTo(head("main"));

        sql("ASSIGN BRANCH %s_dev TO main IN lake".formatted(own));
        assertThat(head(own + "_dev")).isEqualTo(head("main"));

        sql("DROP BRANCH %s_dev IN lake".formatted(own));
        assertThat(sql("LIST REFERENCES IN lake").stream().map(row -> row.<String>getAs("name")))
                .contains("main")
                .doesNotContain(own + "_dev");
    }

    private List<String> rivers() {
        return sql("SELECT * FROM lake.%s.rivers ORDER BY name".formatted(own)).stream()
                .map(row -> row.getString(0) + " " + row.getInt(1))
                .toList();
    }

    private List<String> names(String source) {
        return sql("SELECT name FROM %s ORDER BY name".formatted(source)).stream()
                .map(row -> row.getString(0))
                .toList();
    }

    private List<String> tables() {
        return sql("SHOW TABLES IN lake.%s".formatted(own)).stream()
                .map(row -> row.<String>getAs("tableName"))
                .sorted()
                .toList();
    }

    private static String head(String reference) {
        return sql("LIST REFERENCES IN lake").stream()
                .filter(row -> row.<String>getAs("name").equals(reference))
                .map(row -> row.<String>getAs("hash"))
                .findFirst()
                .orElseThrow();
    }

    private static List<Row> sql(String statement) {
        System.out.println("spark-sql> " + statement);
        List<Row> rows = spark.sql(statement).collectAsList();
        rows.forEach(row -> System.out.println("  " + row));
        return rows;
    }
}
