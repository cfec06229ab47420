package org.anabranch.cli.gc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.anabranch.cli.Main;
import org.anabranch.cli.lake.Lake;
import org.anabranch.cli.service.ServiceProcess;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.nessie.NessieCatalog;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** The command as an operator calls it: what it deletes, what it says, and how it ends. */
class GcCommandIT {

    private static final TableIdentifier KEPT = TableIdentifier.of("sales", "kept");
    private static final TableIdentifier DROPPED = TableIdentifier.of("sales", "dropped");

    @TempDir
    private static Path folder;

    private static ServiceProcess service;
    private static Path warehouse;

    @TempDir
    private Path state;

    /** Finds no credentials where this test runs, whatever the environment has. */
    private static final String PROPERTIES_ALONE =
            "software.amazon.awssdk.auth.credentials.SystemPropertyCredentialsProvider";

    private record Ending(int code, String out, String err) {}

    @BeforeAll
    static void makeALake() throws IOException {
        service = ServiceProcess.start(folder);
        warehouse = folder.resolve("warehouse");
        try (NessieCatalog catalog = new Lake(service.api(), warehouse).at("main")) {
            catalog.createNamespace(Namespace.of("sales"));
            for (TableIdentifier name : List.of(KEPT, DROPPED)) {
                Table table = catalog.createTable(name, Lake.ROWS);
                Lake.append(table, 1, 2, 3);
            }
            catalog.dropTable(DROPPED, false);
        }
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    private static Ending gc(String... arguments) {
        CommandLine commands = Main.commandLine();
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        commands.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
        List<String> all = new ArrayList<>(List.of("gc"));
        all.addAll(List.of(arguments));
        return new Ending(commands.execute(all.toArray(String[]::new)), out.toString(), err.toString());
    }

    private Ending run(String... more) {
        List<String> arguments =
                new ArrayList<>(List.of("run", "--uri", service.api().toString()));
        arguments.addAll(List.of("--state", state.toString(), "--warehouse", warehouse.toString()));
        arguments.addAll(List.of(more));
        return gc(arguments.toArray(String[]::new));
    }

    private static String[] atOnce(String... more) {
        return Stream.concat(
                        Stream.of("--grace", "0s", "--allow-short-grace", "--safety-age", "0s", "--clock-margin", "0s"),
                        Stream.of(more))
                .toArray(String[]::new);
    }

    private static Set<String> files(TableIdentifier table) throws IOException {
        try (Stream<Path> files = Files.walk(warehouse)) {
            return files.filter(Files::isRegularFile)
                    .map(Path::toString)
                    .filter(file -> file.contains("/" + table.name()) && !file.endsWith(".crc"))
                    .collect(Collectors.toSet());
        }
    }

    @Test
    void aFirstRunDeletesNothingAndASecondOneWhatBothFoundUnreferenced() throws Exception {
        Set<String> kept = files(KEPT);
        String dropped = files(DROPPED).stream()
                .filter(file -> file.endsWith(".parquet"))
                .findFirst()
                .orElseThrow();
        Ending first = run(atOnce("--cutoff", "1"));
        assertThat(first.code).as(first.err).isZero();
        assertThat(first.out).contains("Live by options: ").contains("not for long enough yet");
        assertThat(Path.of(dropped)).exists();

        Ending explained = gc("explain", "--state", state.toString(), dropped);
        assertThat(explained.code).as(explained.err).isZero();
        assertThat(explained.out).contains("sales.dropped").contains("unreferenced since run 1");
        String needed = kept.stream()
                .filter(file -> file.endsWith(".parquet"))
                .findFirst()
                .orElseThrow();
        Ending why = gc("why", "--state", state.toString(), "file:" + needed);
        assertThat(why.code).as(why.err).isZero();
        assertThat(why.out).contains("sales.kept").contains("live on main").contains(".metadata.json");
        assertThat(gc("why", "--state", state.toString(), dropped).code).isEqualTo(1);
        assertThat(gc("explain", "--state", state.toString(), needed).code).isEqualTo(1);

        Ending dry = run(atOnce("--cutoff", "1", "--dry-run"));
        assertThat(dry.out).contains("would be deleted");
        assertThat(Path.of(dropped)).exists();

        Ending second = run(atOnce("--cutoff", "1"));
        assertThat(second.code).as(second.err).isZero();
        assertThat(second.out).contains("are deleted");
        assertThat(files(DROPPED)).isEmpty();
        assertThat(gc("explain", "--state", state.toString(), dropped).out)
                .contains("did not find it")
                .contains("\"event\":\"deleted\"");
        assertThat(gc("explain", "--state", state.toString(), "/elsewhere/x").out)
                .contains("No content claims");
        assertThat(gc("why", "--state", state.toString(), "x").err)
                .contains("FILE: ")
                .hasLineCount(1);
        assertThat(files(KEPT)).isSubsetOf(kept).contains(needed);
        assertThat(Files.readAllLines(state.resolve("report.jsonl")))
                .anyMatch(line -> line.contains("\"deleted\"") && line.contains(dropped));
        try (NessieCatalog catalog = new Lake(service.api(), warehouse).at("main")) {
            assertThat(Lake.ids(catalog.loadTable(KEPT))).containsExactlyInAnyOrder(1L, 2L, 3L);
        }
    }

    @Test
    void withoutPoliciesTheHistoryIsLive() {
        Ending ending = run("--dry-run");
        assertThat(ending.code).as(ending.err).isZero();
        assertThat(ending.out).containsPattern("Live by (the default|the repository's configuration): NONE");
    }

    @Test
    void thePoliciesOfTheRepositoryCountWhereNothingElseIsSaid() throws Exception {
        configure("{\"config\":{\"type\":\"GARBAGE_COLLECTOR\",\"defaultCutoffPolicy\":\"P400D\"}}");
        assertThat(run("--dry-run").out).contains("Live by the repository's configuration: P400D");
        configure(
                "{\"config\":{\"type\":\"GARBAGE_COLLECTOR\",\"defaultCutoffPolicy\":\"1\",\"newFilesGracePeriod\":\"PT1H\"}}");
        run(atOnce("--dry-run"));
        assertThat(run(atOnce("--dry-run")).out).contains("too young").doesNotContain("would be deleted");
        assertThat(run("--dry-run", "--cutoff", "5").out).contains("Live by options: branches: 5; tags: NONE");
        configure("{\"config\":{\"type\":\"GARBAGE_COLLECTOR\"}}");
    }

    private static void configure(String body) throws Exception {
        URI uri = URI.create(service.api() + "/config/repository");
        HttpRequest request = HttpRequest.newBuilder(uri)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        assertThat(HttpClient.newHttpClient()
                        .send(request, BodyHandlers.discarding())
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    void whatTheWholeWarehouseMeansIsSaidBeforeAnythingGoes() {
        Ending ending = run("--whole-warehouse", "--dry-run", "--cutoff", "1");
        assertThat(ending.code).as(ending.err).isZero();
        assertThat(ending.out)
                .contains("Note: --whole-warehouse also takes files below " + warehouse
                        + " that this catalog never knew, such as those of tables in other catalogs.");
        assertThat(run("--dry-run", "--cutoff", "1").out).doesNotContain("Note:");
    }

    @Test
    void unlessItIsSaidOtherwiseFilesWaitForThreeDays() {
        String help = gc("run", "--help").out.replaceAll("\\s+", " ");
        assertThat(help)
                .contains("at least this far apart found it unreferenced (3d)")
                .contains("writers may be about to commit them (3d)")
                .contains("adds to the safety age (10m)");
    }

    @Test
    void withoutAWarehouseNothingIsSwept() {
        Ending ending = gc("run", "--uri", service.api().toString(), "--state", state.toString());
        assertThat(ending.code).isEqualTo(2);
        assertThat(ending.err).contains("--warehouse");
    }

    @Test
    void stepsComeInTheirOrderAndUnderTheSameOptions() {
        String[] shared = {"--uri", service.api().toString(), "--state", state.toString(), "--cutoff", "1"};
        assertThat(step("expand", shared).err)
                .contains("There is no state in " + state)
                .contains("gc mark");
        assertThat(step("mark", shared).code).isZero();
        assertThat(step("sweep", shared, "--warehouse", warehouse.toString()).err)
                .contains("not expanded yet");
        assertThat(step("expand", shared, "--tag-cutoff", "1").err).contains("begun with other options");
        assertThat(step("expand", shared).code).isZero();
        assertThat(step("sweep", shared, "--warehouse", warehouse.toString()).code)
                .isZero();
    }

    private static Ending step(String step, String[] shared, String... more) {
        return gc(Stream.of(Stream.of(step), Stream.of(shared), Stream.of(more))
                .flatMap(arguments -> arguments)
                .toArray(String[]::new));
    }

    @ParameterizedTest
    @CsvSource({
        "--grace 5m, --allow-short-grace",
        "--grace soon, 'soon'",
        "--grace 999999999d, thousand years",
        "--safety-age PT9223372036854775807S, thousand years",
        "--cutoff soon, 'soon'",
        "--cutoff-for (=1, '('",
        "--pin 12, --pin",
        "--parallelism 0, --parallelism",
        "--batch 0, batch",
        "--warehouse /, whole file system",
        "--warehouse lake, lake",
        "--policy-file /nowhere, /nowhere",
        "--snapshots some, --snapshots",
        "--header x, --header",
        "--token-file /nowhere, --token-file",
        "--attempts 0, 0 times",
        "--request-timeout 0s, --request-timeout",
        "--storage-requests-per-second -1, --storage-requests-per-second",
        "--storage-property s3.delete-enabled=false, s3.delete-enabled",
        "--warehouse gs://lake, 'gs'",
        "--warehouse s3://lake --storage-property client.region=eu-central-1 --storage-property client.credentials-provider="
                + PROPERTIES_ALONE + ", AWS_ACCESS_KEY_ID",
        "--warehouse s3://lake --storage-property client.region=eu-central-1 --storage-property s3.endpoint=nowhere,"
                + " --storage-property"
    })
    void whatIsCalledWronglyIsToldInALine(String option, String reason) {
        Ending ending = run(option.split(" "));
        assertThat(ending.code).as(ending.err).isEqualTo(2);
        assertThat(ending.err).contains(reason.replace("'", "")).hasLineCount(1);
        assertThat(state).isEmptyDirectory();
    }

    @Test
    void howManyCommitsToNameIsANumberFromOneOn() {
        Ending ending = gc("why", "--state", state.toString(), "--limit", "0", "/x");
        assertThat(ending.code).isEqualTo(2);
        assertThat(ending.err).contains("--limit").hasLineCount(1);
    }

    @Test
    void anAddressThatIsNoneIsToldInALine() {
        Ending ending = gc("mark", "--uri", "nowhere", "--state", state.toString());
        assertThat(ending.code).isEqualTo(2);
        assertThat(ending.err).contains("nowhere").hasLineCount(1);
    }

    @Test
    void aCatalogThatCannotBeReachedEndsTheRun() {
        Ending ending = gc(
                "run",
                "--uri",
                "http://127.0.0.1:1/api/v2",
                "--attempts",
                "1",
                "--state",
                state.toString(),
                "--warehouse",
                warehouse.toString());
        assertThat(ending.code).isEqualTo(1);
        assertThat(ending.err).contains("http://127.0.0.1:1/api/v2").hasLineCount(1);
    }
}
