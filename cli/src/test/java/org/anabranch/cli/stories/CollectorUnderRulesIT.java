package org.anabranch.cli.stories;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.anabranch.cli.Main;
import org.anabranch.cli.lake.Lake;
import org.anabranch.cli.service.ServiceProcess;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.nessie.NessieCatalog;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/**
 * The collector of files where rules are in force: with the rule of docs/gc.md it collects, and whoever is shown less than everything is
 * not let begin.
 */
@Timeout(120)
class CollectorUnderRulesIT {

    private static final TableIdentifier KEPT = TableIdentifier.of("sales", "kept");
    private static final TableIdentifier DROPPED = TableIdentifier.of("sales", "dropped");

    /** What is live by the repository's own settings, which only {@code read-config} shows. */
    private static final String CUTOFF = "{\"config\":{\"type\":\"GARBAGE_COLLECTOR\",\"defaultCutoffPolicy\":\"1\"}}";

    /** Somebody who fills the lake, and callers who lack a part of what the collector has. */
    private static final String OTHER_RULES = """
              - {allow: [all], users: [maker]}
              - {allow: [read, read-config], users: [no-detached]}
              - {allow: [read, read-detached, read-config], users: [no-key]}
              - {deny: [read], users: [no-key], keys: [sales.kept]}
              - {allow: [read, read-detached, read-config], users: [no-branch]}
              - {deny: [read], users: [no-branch], references: [main]}
              - {allow: [read-detached, read-config], users: [nothing]}
            """;

    @TempDir
    private static Path folder;

    private static TokenProvider provider;
    private static ServiceProcess service;
    private static Path warehouse;

    @TempDir
    private Path state;

    private record Ending(int code, String out, String err) {}

    @BeforeAll
    static void makeALakeUnderRules() throws Exception {
        RunningService.assumeNoneIsGiven();
        Map<String, List<String>> rolesOfUsers = Stream.of(
                        "maker", "gc", "no-detached", "no-key", "no-branch", "nothing")
                .collect(Collectors.toMap(user -> user, user -> List.of()));
        Path rules = folder.resolve("rules.yaml");
        Files.writeString(rules, "rules:\n  - " + documentedRule() + "\n" + OTHER_RULES);
        provider = new TokenProvider("swordfish", rolesOfUsers);
        service = ServiceProcess.start(
                folder,
                "-Danabranch.authentication.type=oidc",
                "-Danabranch.authentication.oidc.provider=" + provider.issuer(),
                "-Danabranch.authentication.oidc.audience=anabranch",
                "-Danabranch.authentication.oidc.name-claim=sub",
                "-Danabranch.authorization.type=rules",
                "-Danabranch.authorization.rules=" + rules);
        for (String user : rolesOfUsers.keySet()) {
            Files.writeString(folder.resolve(user), provider.token(user));
        }
        warehouse = folder.resolve("warehouse");
        try (NessieCatalog catalog = catalogOf("maker");
                Http http = new Http(service.api())) {
            catalog.createNamespace(Namespace.of("sales"));
            for (TableIdentifier name : List.of(KEPT, DROPPED)) {
                Lake.append(catalog.createTable(name, Lake.ROWS), 1, 2, 3);
            }
            catalog.dropTable(DROPPED, false);
            assertThat(http.send(http.request("/config/repository")
                                    .setHeader("Authorization", "Bearer " + provider.token("maker"))
                                    .header("Content-Type", "application/json")
                                    .POST(BodyPublishers.ofString(CUTOFF))
                                    .build())
                            .statusCode())
                    .isEqualTo(200);
        }
    }

    private static NessieCatalog catalogOf(String user) {
        NessieCatalog catalog = new NessieCatalog();
        catalog.setConf(new Configuration(false));
        catalog.initialize(
                "anabranch",
                Map.of(
                        "uri",
                        service.api().toString(),
                        "warehouse",
                        warehouse.toUri().toString(),
                        "ref",
                        "main",
                        "cache-enabled",
                        "false",
                        "authentication.type",
                        "BEARER",
                        "authentication.token",
                        provider.token(user)));
        return catalog;
    }

    private static String documentedRule() throws IOException {
        String document = Files.readString(Path.of(System.getProperty("anabranch.project"), "docs", "gc.md"));
        Matcher rule = Pattern.compile("`(\\{allow: .*users: \\[gc]})`").matcher(document);
        assertThat(rule.find()).isTrue();
        return rule.group(1);
    }

    @AfterAll
    static void stop() {
        if (service != null) {
            service.close();
        }
        if (provider != null) {
            provider.close();
        }
    }

    private Ending gc(String command, String... more) {
        CommandLine commands = Main.commandLine();
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        commands.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
        List<String> arguments =
                new ArrayList<>(List.of("gc", command, "--uri", service.api().toString()));
        arguments.addAll(List.of("--state", state.toString(), "--attempts", "1"));
        arguments.addAll(List.of(more));
        return new Ending(commands.execute(arguments.toArray(String[]::new)), out.toString(), err.toString());
    }

    /** A run that may delete at once what two of them found unreferenced. */
    private Ending run(String user) {
        return gc(
                "run",
                "--token-file",
                folder.resolve(user).toString(),
                "--warehouse",
                warehouse.toString(),
                "--grace",
                "0s",
                "--allow-short-grace",
                "--safety-age",
                "0s",
                "--clock-margin",
                "0s");
    }

    private static List<Path> dataOf(TableIdentifier table) throws IOException {
        try (Stream<Path> files = Files.walk(warehouse)) {
            return files.filter(file -> file.toString().contains("/" + table.name())
                            && file.toString().endsWith(".parquet"))
                    .toList();
        }
    }

    @Test
    void withTheDocumentedRuleItMarksAndCollects() throws Exception {
        List<Path> kept = dataOf(KEPT);
        assertThat(kept).hasSize(1);
        Ending first = run("gc");
        assertThat(first.code).as(first.err).isZero();
        assertThat(first.out).contains("Live by the repository's configuration: 1");
        assertThat(dataOf(DROPPED)).as("found once").hasSize(1);

        Ending second = run("gc");
        assertThat(second.code).as(second.err).isZero();
        assertThat(second.out).contains("are deleted");
        assertThat(dataOf(DROPPED)).isEmpty();
        assertThat(dataOf(KEPT)).isEqualTo(kept);
        try (NessieCatalog catalog = catalogOf("gc")) {
            assertThat(Lake.ids(catalog.loadTable(KEPT))).containsExactly(1L, 2L, 3L);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"no-detached", "no-key", "no-branch", "nothing"})
    void whoIsNotShownEverythingIsNotLetMark(String user) throws Exception {
        for (String step : List.of("mark", "run")) {
            Ending ending = step.equals("run")
                    ? run(user)
                    : gc(
                            "mark",
                            "--cutoff",
                            "1",
                            "--token-file",
                            folder.resolve(user).toString());
            assertThat(ending.code).as(ending.out).isEqualTo(1);
            assertThat(ending.err)
                    .contains("does not show this caller everything")
                    .hasLineCount(1);
        }
        assertThat(gc(
                                "expand",
                                "--cutoff",
                                "1",
                                "--token-file",
                                folder.resolve("gc").toString())
                        .err)
                .as("nothing was begun")
                .contains("There is no state in " + state);
        assertThat(state).isEmptyDirectory();
        assertThat(dataOf(KEPT)).hasSize(1);
    }

    @Test
    void withoutATokenNothingIsBegun() {
        Ending ending = gc("mark", "--cutoff", "1");
        assertThat(ending.code).as(ending.out).isEqualTo(1);
        assertThat(ending.err).contains("401").hasLineCount(1);
    }
}
