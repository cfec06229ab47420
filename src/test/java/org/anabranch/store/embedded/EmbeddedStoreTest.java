package org.anabranch.store.embedded;

import static org.anabranch.store.contract.StoreRows.branch;
import static org.anabranch.store.contract.StoreRows.create;
import static org.anabranch.store.contract.StoreRows.id;
import static org.anabranch.store.contract.StoreRows.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.Collections;
import java.util.List;
import java.util.function.Supplier;
import org.anabranch.store.ChunkAddress;
import org.anabranch.store.CommitRow;
import org.anabranch.store.Condemned;
import org.anabranch.store.Store;
import org.anabranch.store.contract.ClosingContract;
import org.anabranch.store.contract.StoreContract;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedStoreTest extends StoreContract {

    @TempDir
    Path folder;

    @Override
    protected Supplier<Store> newRepository() {
        return () -> EmbeddedStore.open(folder);
    }

    @Nested
    class Folder {

        @Test
        void aSecondOpeningInThisProcessIsToldSo() {
            assertThatThrownBy(() -> EmbeddedStore.open(folder))
                    .isInstanceOf(UnusableFolderException.class)
                    .hasMessageContaining(
                            "is in use by process " + ProcessHandle.current().pid());
            assertThatThrownBy(() -> EmbeddedStore.open(folder)).isInstanceOf(UnusableFolderException.class);
        }

        @Test
        void anotherProcessIsToldWhoHoldsTheFolder() throws Exception {
            Process other = WriterProcess.start(List.of(), folder, 0, 0, 0);

            try (BufferedReader lines = other.inputReader()) {
                assertThat(lines.readLine())
                        .startsWith("failed The folder " + folder.toRealPath() + " is in use by process "
                                + ProcessHandle.current().pid() + " on host ")
                        .endsWith(". Stop that process, or choose another folder.");
            }
            assertThat(other.waitFor()).isZero();
        }

        @Test
        void afterClosingItIsFree() throws Exception {
            store().close();
            Process other = WriterProcess.start(List.of(), folder, 0, 0, 0);

            try (BufferedReader lines = other.inputReader()) {
                assertThat(lines.readLine()).isEqualTo("open");
            }
            assertThat(other.waitFor()).isZero();
        }

        @Test
        void missingFoldersAreCreated() {
            Path deep = folder.resolve("a/b/c");

            EmbeddedStore.open(deep).close();

            assertThat(deep.resolve(EmbeddedStore.FILE)).isRegularFile();
        }

        @Test
        void aFileInPlaceOfTheFolderIsRefused() throws Exception {
            Path file = Files.createFile(folder.resolve("file"));

            assertRefused(file, "The folder " + file + " cannot be used: ");
        }

        @Test
        void aNameThatTheDriverWouldMisreadIsRefused() {
            assertRefused(folder.resolve("a?b"), "with '?' in its name");
        }

        @Test
        void aFolderWithSpacesAndOtherLettersIsFine() {
            Path odd = folder.resolve("mein Wähler #1 %20;x=y");

            EmbeddedStore.open(odd).close();

            assertThat(odd.resolve(EmbeddedStore.FILE)).isRegularFile();
        }

        @Test
        void whatIsNoDatabaseIsRefusedAndKept() throws Exception {
            Path other = Files.createDirectory(folder.resolve("other"));
            Path file = Files.writeString(other.resolve(EmbeddedStore.FILE), "not a database, ".repeat(1000));

            assertRefused(other, "cannot be opened as a store: ");
            assertThat(file).hasSize(16_000);
        }

        @Test
        void theDatabaseOfAnotherProgramIsRefused() throws Exception {
            Path other = Files.createDirectory(folder.resolve("other"));
            execute(other, "CREATE TABLE customer (name TEXT)");

            assertRefused(other, "belongs to another program. Choose another folder.");
        }

        @Test
        void theTablesOfTheFirstVersionAreUpgraded() throws Exception {
            store().write(List.of(row(1)), List.of(), create(branch("main", 1, 9)), List.of());
            store().close();
            execute(folder, "DROP TABLE condemned");
            execute(folder, "PRAGMA user_version = 1");

            try (EmbeddedStore upgraded = EmbeddedStore.open(folder)) {
                assertThat(upgraded.reference("main")).isPresent();
                upgraded.condemn(List.of(1L), 100);
                assertThat(upgraded.condemned(0, 10)).containsExactly(new Condemned(1, 100));
            }
        }

        @Test
        void aNewerSchemaIsRefused() throws Exception {
            store().close();
            execute(folder, "PRAGMA user_version = 3");

            assertRefused(
                    folder,
                    "has schema version 3, and this Anabranch knows versions up to 2."
                            + " Start the newer Anabranch that wrote it.");
        }

        @Test
        void aLogWithoutItsFileIsRefused() throws Exception {
            Path other = Files.createDirectory(folder.resolve("other"));
            Files.createFile(other.resolve(EmbeddedStore.FILE + "-wal"));

            assertRefused(other, "Put the file back, or choose another folder.");
        }

        private static void assertRefused(Path folder, String message) {
            assertThatThrownBy(() -> EmbeddedStore.open(folder))
                    .isInstanceOf(UnusableFolderException.class)
                    .hasMessageContaining(message);
        }
    }

    @Nested
    class Durability {

        @Test
        void weakerSyncingIsRefusedAtStart() throws Exception {
            Path file = folder.resolve(EmbeddedStore.FILE);
            try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                    Statement statement = connection.createStatement()) {
                Schema.open(connection, file);
                statement.execute("PRAGMA synchronous = NORMAL");

                assertThatThrownBy(() -> Schema.requireDurable(connection, file))
                        .isInstanceOf(UnusableFolderException.class)
                        .hasMessageContaining("does not make writes to " + file + " durable: synchronous is 1");
            }
        }
    }

    @Nested
    class Closing extends ClosingContract {
        Closing() {
            super(EmbeddedStoreTest.this);
        }
    }

    @Nested
    class Limits {

        @Test
        void aRowHasAtMost65536Chunks() {
            CommitRow most = new CommitRow(1, id(1), List.of(0L), Collections.nCopies(1 << 16, new byte[1]));
            store().write(List.of(most), List.of(), create(branch("main", 1, 8)), List.of());
            CommitRow more = new CommitRow(2, id(2), List.of(0L), Collections.nCopies((1 << 16) + 1, new byte[1]));

            assertThatThrownBy(() -> store().write(List.of(more), List.of(), create(branch("more", 2, 9)), List.of()))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThat(store().reference("more")).isEmpty();
            assertThat(store().fetch(List.of(new ChunkAddress(1, 65535)))).hasSize(1);
        }
    }

    private static void execute(Path folder, String sql) throws Exception {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve(EmbeddedStore.FILE));
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
