package org.anabranch.wiring;

import static org.anabranch.testing.TestCatalog.MAIN;
import static org.anabranch.testing.TestCatalog.put;
import static org.anabranch.testing.TestCatalog.table;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.anabranch.model.CommitId;
import org.anabranch.model.ContentKey;
import org.anabranch.store.Change;
import org.anabranch.store.RepositoryRow;
import org.anabranch.store.Store;
import org.anabranch.store.embedded.EmbeddedStore;
import org.anabranch.testing.TestCatalog;
import org.anabranch.versioning.refs.Repository;
import org.anabranch.versioning.transfer.peer.FakePeer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands {@code export} and {@code import} on folders: what they say, what they leave, and how they end. */
class TransferCommandsTest {

    @TempDir
    Path folder;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int export(String data, String to, String... options) {
        return ExportCommand.run(options("--to", data, to, options), stream(out), stream(err));
    }

    private int importInto(String data, String from, String... options) {
        return ImportCommand.run(options("--from", data, from, options), stream(out), stream(err));
    }

    private String[] options(String option, String data, String file, String... more) {
        List<String> all = new ArrayList<>(List.of(
                "--store",
                "embedded",
                "--data",
                folder.resolve(data).toString(),
                option,
                folder.resolve(file).toString()));
        all.addAll(List.of(more));
        return all.toArray(String[]::new);
    }

    private static PrintStream stream(ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }

    private String said() {
        return err.toString(StandardCharsets.UTF_8);
    }

    private CommitId aRepository(String data) {
        try (EmbeddedStore store = EmbeddedStore.open(folder.resolve(data));
                TestCatalog catalog = new TestCatalog(store)) {
            catalog.commit(MAIN, put("a", table("one")));
            return catalog.commit(MAIN, put("b", table("two")));
        }
    }

    @Test
    void aRepositoryMovesToAnotherFolder() throws Exception {
        CommitId head = aRepository("one");

        assertThat(export("one", "lake.export")).as(said()).isEqualTo(ExportCommand.EXPORTED);
        assertThat(importInto("other", "lake.export")).as(said()).isEqualTo(ImportCommand.IMPORTED);
        assertThat(export("other", "again.export")).as(said()).isEqualTo(ExportCommand.EXPORTED);

        assertThat(folder.resolve("again.export")).hasSameBinaryContentAs(folder.resolve("lake.export"));
        assertThat(folder.resolve("lake.export.part")).doesNotExist();
        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("1 references and 2 commits are in")
                .contains("is there: 1 references, 2 commits.");
        try (EmbeddedStore store = EmbeddedStore.open(folder.resolve("other"))) {
            assertThat(store.reference(MAIN).orElseThrow().head().id()).isEqualTo(head);
        }
    }

    @Test
    void anotherServersRepositoryComesOver() throws Exception {
        try (FakePeer peer = new FakePeer()) {
            ContentKey key = TestCatalog.key("a");
            String id = "00000000-0000-0001-0000-000000000001";
            String one = peer.commit(
                    "one",
                    "2024-01-01T00:00:00Z",
                    Map.of(key, peer.content("ICEBERG_TABLE", id, "x")),
                    FakePeer.NO_ANCESTOR);
            String two = peer.commit(
                    "two", "2024-01-01T00:00:00Z", Map.of(key, peer.content("ICEBERG_TABLE", id, "y")), one);
            peer.reference("BRANCH main", two);
            Path map = folder.resolve("hashes");
            String[] options = {
                "--store",
                "embedded",
                "--data",
                folder.resolve("one").toString(),
                "--from-nessie",
                peer.api().toString(),
                "--hash-map",
                map.toString()
            };

            assertThat(ImportCommand.run(options, stream(out), stream(err)))
                    .as(said())
                    .isEqualTo(ImportCommand.IMPORTED);

            assertThat(out.toString(StandardCharsets.UTF_8))
                    .contains("1 references, 2 commits.")
                    .contains("1 states with 1 keys were compared")
                    .contains("1 commits were not younger than their parents");
            try (EmbeddedStore store = EmbeddedStore.open(folder.resolve("one"))) {
                CommitId head = store.reference("main").orElseThrow().head().id();
                assertThat(Files.readAllLines(map)).hasSize(2).last().isEqualTo(two + " " + head);
            }
            assertThat(ImportCommand.run(options, stream(out), stream(err))).isEqualTo(ImportCommand.NOT_IMPORTED);
            assertThat(said()).contains("hashes is there already");
        }
        String[] nobody = {
            "--store", "embedded", "--data", folder.resolve("two").toString(), "--from-nessie", "http://127.0.0.1:1/api"
        };
        assertThat(ImportCommand.run(nobody, stream(out), stream(err))).isEqualTo(ImportCommand.NOT_IMPORTED);
        assertThat(said()).contains("does not end in /v2");
        assertThat(folder.resolve("two")).doesNotExist();
    }

    @Test
    void aTerminalObeysNothingThatAnotherServerSays() throws Exception {
        try (FakePeer peer = new FakePeer()) {
            peer.reference(
                    "BRANCH main",
                    peer.commit(
                            "one",
                            "2024-01-01T00:00:00Z",
                            Map.of(TestCatalog.key("a"), peer.content("ICEBERG_TABLE", "id\u001b[2J\u009b", "x")),
                            FakePeer.NO_ANCESTOR));
            String[] options = {
                "--store",
                "embedded",
                "--data",
                folder.resolve("one").toString(),
                "--from-nessie",
                peer.api().toString()
            };

            peer.reference("BRANCH name\u001b[2J", FakePeer.NO_ANCESTOR);
            assertThat(ImportCommand.run(options, stream(out), stream(err))).isEqualTo(ImportCommand.NOT_IMPORTED);
            peer.forgetReference("BRANCH name\u001b[2J");
            assertThat(ImportCommand.run(options, stream(out), stream(err)))
                    .as(said())
                    .isEqualTo(ImportCommand.IMPORTED);

            assertThat(said()).contains("Reference 'name?[2J' cannot be kept here");
            assertThat(out.toString(StandardCharsets.UTF_8)).contains("instead of id?[2J? from commit");
        }
    }

    /** Another export may be writing it, and what it reads back must be what it wrote. */
    @Test
    void whatAnotherExportWritesIsLeftAlone() throws Exception {
        aRepository("one");
        Path part = Files.writeString(folder.resolve("lake.export.part"), "half");

        assertThat(export("one", "lake.export")).isEqualTo(ExportCommand.NOT_EXPORTED);

        assertThat(said())
                .contains(part + " is there already: another export writes it, or one was ended by force; if so, remove"
                        + " it, or choose another name");
        assertThat(part).hasContent("half");
        assertThat(folder.resolve("lake.export")).doesNotExist();
    }

    @Test
    void reportsMayGoToTheOutputAlone() throws Exception {
        aRepository("one");

        assertThat(export("one", "lake.export", "--report", "-")).isEqualTo(ExportCommand.EXPORTED);
        JsonNode exported = new ObjectMapper().readTree(out.toString(StandardCharsets.UTF_8));
        out.reset();
        assertThat(importInto("other", "lake.export", "--report", "-")).isEqualTo(ImportCommand.IMPORTED);
        JsonNode imported = new ObjectMapper().readTree(out.toString(StandardCharsets.UTF_8));

        assertThat(exported.get("commits").asLong()).isEqualTo(2);
        assertThat(exported.get("bytes").asLong()).isEqualTo(Files.size(folder.resolve("lake.export")));
        assertThat(imported.get("digest").asText())
                .isEqualTo(exported.get("digest").asText())
                .hasSize(64);
        assertThat(imported.get("repository").asText())
                .isEqualTo(exported.get("repository").asText());
    }

    @Test
    void aFileThatWasAlteredOrCutOffMakesNoStore() throws Exception {
        aRepository("one");
        export("one", "lake.export");
        byte[] bytes = Files.readAllBytes(folder.resolve("lake.export"));
        bytes[bytes.length / 2]++;
        Files.write(folder.resolve("altered.export"), bytes);
        Files.write(folder.resolve("short.export"), Arrays.copyOf(bytes, bytes.length / 3));

        assertThat(importInto("other", "altered.export")).isEqualTo(ImportCommand.FILE_WRONG);
        assertThat(said())
                .contains("altered.export is not what was exported. At byte ")
                .contains("checksum is wrong");
        assertThat(importInto("other", "short.export")).isEqualTo(ImportCommand.FILE_WRONG);
        assertThat(said()).contains("the file is cut off in block 2");

        assertThat(folder.resolve("other")).doesNotExist();
    }

    @Test
    void aStoreThatIsNotEmptyStaysAsItIs() throws Exception {
        aRepository("one");
        export("one", "lake.export");
        try (EmbeddedStore store = EmbeddedStore.open(folder.resolve("other"));
                TestCatalog catalog = new TestCatalog(store)) {
            catalog.commit(MAIN, put("mine", table("x")));
        }

        assertThat(importInto("other", "lake.export")).isEqualTo(ImportCommand.NOT_IMPORTED);

        assertThat(said()).contains("The store has repository").contains("needs an empty one");
        try (EmbeddedStore store = EmbeddedStore.open(folder.resolve("other"));
                TestCatalog catalog = new TestCatalog(store)) {
            assertThat(catalog.contents(MAIN)).hasSize(1);
        }
    }

    @Test
    void whatIsBeingImportedIsServedCheckedAndSweptByNobody() {
        aRepository("one");
        try (Store store = EmbeddedStore.open(folder.resolve("one"))) {
            RepositoryRow row = store.repository().orElseThrow();
            RepositoryRow half =
                    row.next(RepositoryRow.BEING_IMPORTED, 0, Map.of(Repository.IMPORTED_FROM, "somewhere"));
            store.write(List.of(), List.of(), new Change.OfRepository(row, half), List.of());
        }
        String[] data = {"--store", "embedded", "--data", folder.resolve("one").toString()};

        assertThat(export("one", "lake.export")).isEqualTo(ExportCommand.NOT_EXPORTED);
        assertThat(said()).contains("The repository is being imported, from somewhere, and serves nothing until");
        assertThat(CheckCommand.run(data, stream(out), stream(err))).isEqualTo(CheckCommand.FINDINGS);
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("a repository that is being imported");
        assertThat(SweepCommand.run(data, stream(out), stream(err))).isEqualTo(SweepCommand.NOT_SWEPT);
        assertThat(said()).contains("end the import first");
        assertThat(folder.resolve("lake.export")).doesNotExist();
    }

    @Test
    void whatCannotBeRunIsSaidInASentence() throws Exception {
        aRepository("one");
        Files.writeString(folder.resolve("there"), "something");

        assertThat(export("one", "there")).isEqualTo(ExportCommand.NOT_EXPORTED);
        assertThat(said()).contains("there is there already");
        assertThat(folder.resolve("there")).hasContent("something");

        assertThat(export("none", "lake.export")).isEqualTo(ExportCommand.NOT_EXPORTED);
        assertThat(said()).contains("there is no store in");

        assertThat(importInto("other", "missing")).isEqualTo(ImportCommand.NOT_IMPORTED);
        assertThat(said()).contains("missing is not there");

        assertThat(importInto("other", "there", "--no-comparison")).isEqualTo(ImportCommand.NOT_IMPORTED);
        assertThat(said()).contains("go with --from-nessie alone");
        assertThat(importInto("other", "there", "--from-nessie", "http://127.0.0.1:1/api/v2"))
                .isEqualTo(ImportCommand.NOT_IMPORTED);
        assertThat(said()).contains("mutually exclusive");

        assertThat(importInto("other", "there")).isEqualTo(ImportCommand.FILE_WRONG);
        assertThat(said()).contains("this is not the beginning of an export");

        String[] nobody = {
            "--service",
            "http://127.0.0.1:1",
            "--to",
            folder.resolve("lake.export").toString()
        };
        assertThat(ExportCommand.run(nobody, stream(out), stream(err))).isEqualTo(ExportCommand.NOT_EXPORTED);
        assertThat(said()).contains("no service answers as it should");

        try (EmbeddedStore held = EmbeddedStore.open(folder.resolve("one"))) {
            assertThat(export("one", "lake.export")).isEqualTo(ExportCommand.NOT_EXPORTED);
            assertThat(held.repository()).isPresent();
        }
        assertThat(said()).contains("is in use by").contains("--service");
        assertThat(folder.resolve("lake.export")).doesNotExist();
        assertThat(folder.resolve("lake.export.part")).doesNotExist();
    }

    @Test
    void aFileThatIsNotThereIsNamedWithItsOption() {
        aRepository("one");

        assertThat(importInto("other", "none")).isEqualTo(ImportCommand.NOT_IMPORTED);
        assertThat(importInto("other", ".")).isEqualTo(ImportCommand.NOT_IMPORTED);
        assertThat(export("one", "none/lake.export")).isEqualTo(ExportCommand.NOT_EXPORTED);

        assertThat(said().lines())
                .containsExactly(
                        "anabranch: --from: " + folder.resolve("none") + " is not there: name one that 'export' wrote",
                        "anabranch: --from: " + folder.resolve(".") + " is no file: name one that 'export' wrote",
                        "anabranch: --to: there is no folder " + folder.resolve("none")
                                + ": make it, or choose another place");
        assertThat(folder.resolve("other")).doesNotExist();
    }

    @Test
    void aTokenWithoutAServiceIsNotIgnored() {
        String[] token = {"--token-file", "token"};
        String[] tokenTo = {
            "--token-file", "token", "--to", folder.resolve("lake.export").toString()
        };
        assertThat(CheckCommand.run(token, stream(out), stream(err))).isEqualTo(CheckCommand.NOT_CHECKED);
        assertThat(SweepCommand.run(token, stream(out), stream(err))).isEqualTo(SweepCommand.NOT_SWEPT);
        assertThat(ExportCommand.run(tokenTo, stream(out), stream(err))).isEqualTo(ExportCommand.NOT_EXPORTED);

        assertThat(said().lines())
                .containsExactlyElementsOf(Collections.nCopies(
                        3,
                        "anabranch: --token-file is for a service: name that with --service, or leave the token out"));
    }

    /** Before a long look at a file, and with nothing made. A property of the tests chooses the memory. */
    @Test
    void optionsOfAnotherStoreAreNotIgnored() {
        String to = folder.resolve("lake.export").toString();
        String[] url = {"--url", "jdbc:postgresql://127.0.0.1:1/lake"};
        String[] data = {"--store", "postgresql", "--data", folder.toString()};
        String[] urlTo = {"--url", "jdbc:postgresql://127.0.0.1:1/lake", "--to", to};
        String[] urlFrom = {"--url", "jdbc:postgresql://127.0.0.1:1/lake", "--from", to};
        String[] urlFromNessie = {
            "--url", "jdbc:postgresql://127.0.0.1:1/lake", "--from-nessie", "http://127.0.0.1:1/api/v2"
        };
        assertThat(CheckCommand.run(url, stream(out), stream(err))).isEqualTo(CheckCommand.NOT_CHECKED);
        assertThat(SweepCommand.run(url, stream(out), stream(err))).isEqualTo(SweepCommand.NOT_SWEPT);
        assertThat(ExportCommand.run(urlTo, stream(out), stream(err))).isEqualTo(ExportCommand.NOT_EXPORTED);
        assertThat(ImportCommand.run(urlFrom, stream(out), stream(err))).isEqualTo(ImportCommand.NOT_IMPORTED);
        assertThat(ImportCommand.run(urlFromNessie, stream(out), stream(err))).isEqualTo(ImportCommand.NOT_IMPORTED);
        assertThat(CheckCommand.run(data, stream(out), stream(err))).isEqualTo(CheckCommand.NOT_CHECKED);

        List<String> sentences = new ArrayList<>(Collections.nCopies(
                5,
                "anabranch: --url is for the store 'postgresql', and the one in force is 'memory'"
                        + " (anabranch.store.type): choose --store postgresql, or leave it out"));
        sentences.add("anabranch: --data is for the store 'embedded', and the one in force is 'postgresql'"
                + " (anabranch.store.type): choose --store embedded, or leave it out");
        assertThat(said().lines()).containsExactlyElementsOf(sentences);
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void noCommandReachesAMemory() {
        String file = folder.resolve("lake.export").toString();
        String[] memory = {"--store", "Memory"};
        String[] memoryTo = {"--store", "Memory", "--to", file};
        String[] memoryFrom = {"--store", "Memory", "--from", file};
        assertThat(CheckCommand.run(memory, stream(out), stream(err))).isEqualTo(CheckCommand.NOT_CHECKED);
        assertThat(SweepCommand.run(memory, stream(out), stream(err))).isEqualTo(SweepCommand.NOT_SWEPT);
        assertThat(ExportCommand.run(memoryTo, stream(out), stream(err))).isEqualTo(ExportCommand.NOT_EXPORTED);
        assertThat(ImportCommand.run(memoryFrom, stream(out), stream(err))).isEqualTo(ImportCommand.NOT_IMPORTED);

        assertThat(said().lines())
                .containsExactlyElementsOf(Collections.nCopies(
                        4,
                        "anabranch: Invalid value for option '--store': 'Memory' is neither embedded nor postgresql,"
                                + " and no other process reaches the memory of a service (--help lists the options)"));
    }

    @Test
    void helpNamesTheStoresThatCommandsReach() {
        String[] help = {"--help"};
        CheckCommand.run(help, stream(out), stream(err));
        SweepCommand.run(help, stream(out), stream(err));
        ExportCommand.run(help, stream(out), stream(err));
        ImportCommand.run(help, stream(out), stream(err));

        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("--store=embedded|postgresql")
                .doesNotContain("memory");
    }

    @Test
    void nothingIsImportedIntoMemory() {
        OfflineStore memory = OfflineStore.of(Map.of("anabranch.store.type", "memory"));

        assertThatThrownBy(memory::create)
                .isInstanceOf(CommandFailedException.class)
                .hasMessageContaining("anabranch.store.type")
                .hasMessageContaining("choose --store embedded or postgresql");
    }
}
