package org.anabranch.versioning.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.anabranch.model.ReferenceKind;
import org.anabranch.store.OutcomeUnknownException;
import org.anabranch.store.ReferenceRow;
import org.anabranch.store.RepositoryRow;
import org.anabranch.store.Store;
import org.anabranch.store.StoreUnavailableException;
import org.anabranch.store.memory.MemoryStore;
import org.anabranch.testing.CountingStore;
import org.anabranch.testing.FaultyStore;
import org.anabranch.testing.FaultyStore.Fault;
import org.anabranch.testing.ForwardingStore;
import org.anabranch.testing.TestCatalog;
import org.anabranch.versioning.check.CheckReport;
import org.anabranch.versioning.check.RepositoryCheck;
import org.anabranch.versioning.refs.Repository;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An import that ends at any of its writes serves nothing, and goes on when it is started again. */
class BrokenImportTest {

    private static final RepositoryRow FRESH = new RepositoryRow(
            new UUID(7, 7), 1, "another salt 123".getBytes(StandardCharsets.US_ASCII), "main", 0, 0, Map.of(), 1);

    @TempDir
    Path folder;

    private byte[] exported = {};

    @BeforeEach
    void export() throws Exception {
        try (TestCatalog catalog = new TestCatalog()) {
            Exports.grow(catalog, new Random(5));
            // More than a batch of commits.
            for (int i = 0; i < 600; i++) {
                catalog.commit(TestCatalog.MAIN, TestCatalog.put("added" + i, TestCatalog.table("x")));
            }
            exported = Exports.export(catalog.store());
        }
    }

    @ParameterizedTest
    @EnumSource(Fault.class)
    void atEveryWrite(Fault fault) throws Exception {
        ExportFile file = Exports.file(folder, exported);
        int writes = writes(file);
        assertThat(writes).isGreaterThan(6);
        for (int write = 1; write <= writes; write++) {
            FaultyStore store = new FaultyStore(new MemoryStore()).at(write, fault);
            assertThatThrownBy(() -> new RepositoryImport(store).run(file, TransferProgress.NONE))
                    .isInstanceOfAny(StoreUnavailableException.class, OutcomeUnknownException.class);
            store.heal();
            if (store.repository().filter(row -> !row.isBeingImported()).isEmpty()) {
                assertServesNothing(store);
                new RepositoryImport(store).run(file, TransferProgress.NONE);
            }
            assertThat(Exports.export(store)).isEqualTo(exported);
            assertThat(RepositoryCheck.full(store)).matches(CheckReport::isClean);
        }
    }

    private static int writes(ExportFile file) throws Exception {
        FaultyStore store = new FaultyStore(new MemoryStore());
        new RepositoryImport(store).run(file, TransferProgress.NONE);
        return store.writes();
    }

    private static void assertServesNothing(Store store) {
        if (store.repository().isPresent()) {
            assertThatThrownBy(() -> Repository.open(store, FRESH))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("The repository is being imported, from a file with repository");
        }
    }

    /** One of the two gets the store, and the other one leaves it alone. */
    @Test
    void aServiceThatStartsBeforeAnyWrite() throws Exception {
        ExportFile file = Exports.file(folder, exported);
        int writes = writes(file);
        for (int write = 1; write <= writes; write++) {
            MemoryStore store = new MemoryStore();
            AtomicReference<IllegalStateException> refused = new AtomicReference<>();
            FaultyStore met = new FaultyStore(store).foreignFirst(write, () -> {
                try {
                    Repository.open(store, FRESH);
                } catch (IllegalStateException e) {
                    refused.set(e);
                }
            });
            if (write == 1) {
                assertThatThrownBy(() -> new RepositoryImport(met).run(file, TransferProgress.NONE))
                        .isInstanceOf(TransferRefusedException.class)
                        .hasMessageContaining("Somebody else works on this store");
                assertThat(refused).hasValue(null);
                assertThat(store.repository().orElseThrow().id()).isEqualTo(FRESH.id());
                assertThat(store.links(0, 1)).isEmpty();
            } else {
                new RepositoryImport(met).run(file, TransferProgress.NONE);
                assertThat(refused.get()).hasMessageContaining("The repository is being imported");
                assertThat(Exports.export(store)).isEqualTo(exported);
            }
        }
    }

    @Test
    void whatAnEarlierAttemptBroughtIsFound() throws Exception {
        ExportFile file = Exports.file(folder, exported);
        FaultyStore store = new FaultyStore(new MemoryStore()).at(3, Fault.BEFORE);
        assertThatThrownBy(() -> new RepositoryImport(store).run(file, TransferProgress.NONE))
                .isInstanceOf(StoreUnavailableException.class);
        long rows = store.links(0, Integer.MAX_VALUE).size();
        store.heal();

        ImportReport report = new RepositoryImport(store).run(file, TransferProgress.NONE);

        assertThat(report.found()).isEqualTo(rows).isPositive().isLessThan(report.commits());
        assertThat(store.links(0, Integer.MAX_VALUE)).hasSize((int) report.commits());
    }

    @Test
    void theyAreFoundTogether() throws Exception {
        ExportFile file = Exports.file(folder, exported);
        CountingStore store = new CountingStore(new MemoryStore());
        FaultyStore faulty = new FaultyStore(store).at(writes(file), Fault.BEFORE);
        assertThatThrownBy(() -> new RepositoryImport(faulty).run(file, TransferProgress.NONE))
                .isInstanceOf(StoreUnavailableException.class);
        store.resetCounts();

        ImportReport report = new RepositoryImport(store).run(file, TransferProgress.NONE);

        assertThat(report.found()).isEqualTo(report.commits()).isGreaterThan(600);
        assertThat(store.chunksFetched()).isZero();
        // A trip lists the commits and one more sees their end; beside them the record and what becomes of it, and what
        // each reference costs in both attempts.
        assertThat(store.trips()).isLessThan(11 + 3 * (int) report.references());
    }

    /** The branches moved on between the two exports. */
    @Test
    void aYoungerExportOfTheSameRepositoryMayGoOn() throws Exception {
        try (Store complete = new MemoryStore()) {
            new RepositoryImport(complete).run(Exports.file(folder, exported), TransferProgress.NONE);
            byte[] younger;
            try (TestCatalog catalog = new TestCatalog(complete)) {
                catalog.commit(TestCatalog.MAIN, TestCatalog.put("younger", TestCatalog.table("x")));
                younger = Exports.export(complete);
            }
            FaultyStore store = new FaultyStore(new MemoryStore()).at(6, Fault.BEFORE);
            assertThatThrownBy(() ->
                            new RepositoryImport(store).run(Exports.file(folder, exported), TransferProgress.NONE))
                    .isInstanceOf(StoreUnavailableException.class);
            assertThat(store.references(ReferenceKind.BRANCH, "", 10)).isNotEmpty();
            store.heal();

            new RepositoryImport(store).run(Exports.file(folder, younger), TransferProgress.NONE);

            assertThat(Exports.export(store)).isEqualTo(younger);
        }
    }

    @Test
    void anotherRepositoryIsRefused() throws Exception {
        FaultyStore store = new FaultyStore(new MemoryStore()).at(3, Fault.BEFORE);
        assertThatThrownBy(() -> new RepositoryImport(store).run(Exports.file(folder, exported), TransferProgress.NONE))
                .isInstanceOf(StoreUnavailableException.class);
        store.heal();
        try (Store other = new MemoryStore()) {
            Repository.open(other, FRESH);
            byte[] foreign = Exports.export(other);

            assertThatThrownBy(
                            () -> new RepositoryImport(store).run(Exports.file(folder, foreign), TransferProgress.NONE))
                    .isInstanceOf(TransferRefusedException.class)
                    .hasMessageContaining("was broken off, and this one is from a file with repository " + FRESH.id());
        }
    }

    /** The other one ends, and is committed to, while this one, which found all commits there, comes to the references. */
    @Test
    void aLateImportLeavesAloneWhatAnotherMadeVisible() throws Exception {
        ExportFile file = Exports.file(folder, exported);
        FaultyStore store = new FaultyStore(new MemoryStore()).at(writes(file), Fault.BEFORE);
        assertThatThrownBy(() -> new RepositoryImport(store).run(file, TransferProgress.NONE))
                .isInstanceOf(StoreUnavailableException.class);
        store.heal();
        AtomicBoolean isFirst = new AtomicBoolean(true);
        AtomicReference<byte[]> grown = new AtomicReference<>();
        Store late = new ForwardingStore(store) {
            @Override
            public List<ReferenceRow> references(ReferenceKind kind, String afterName, int limit) {
                if (isFirst.getAndSet(false)) {
                    try {
                        new RepositoryImport(store).run(file, TransferProgress.NONE);
                        new TestCatalog(store)
                                .commit(TestCatalog.MAIN, TestCatalog.put("younger", TestCatalog.table("x")));
                        grown.set(Exports.export(store));
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                }
                return super.references(kind, afterName, limit);
            }
        };

        assertThatThrownBy(() -> new RepositoryImport(late).run(file, TransferProgress.NONE))
                .isInstanceOf(TransferRefusedException.class)
                .hasMessageContaining("Somebody else works on this store");

        assertThat(Exports.export(store)).isEqualTo(grown.get());
    }

    /** Each block of the other file is right, and so is each commit in it: it lacks the last ones, and its references are others. */
    @Test
    void aFileThatWasExchangedSinceItWasVerifiedIsNotMadeVisible() throws Exception {
        Path path = folder.resolve("exchanged.export");
        ExportFile verified;
        try (TestCatalog catalog = new TestCatalog()) {
            catalog.commit(TestCatalog.MAIN, TestCatalog.put("one", TestCatalog.table("x")));
            byte[] older = Exports.export(catalog.store());
            catalog.commit(TestCatalog.MAIN, TestCatalog.put("two", TestCatalog.table("x")));
            Files.write(path, Exports.export(catalog.store()));
            verified = ExportFile.verify(path, TransferProgress.NONE);
            Files.write(path, older);
        }
        MemoryStore store = new MemoryStore();

        assertThatThrownBy(() -> new RepositoryImport(store).run(verified, TransferProgress.NONE))
                .isInstanceOf(ExportFileException.class)
                .hasMessageContaining("the file was changed since it was verified");

        assertServesNothing(store);
        assertThat(store.repository()).isPresent();
    }

    @Test
    void ofTwoImportsAtOnceOneFails() throws Exception {
        ExportFile file = Exports.file(folder, exported);
        MemoryStore store = new MemoryStore();
        FaultyStore met = new FaultyStore(store).foreignFirst(3, () -> {
            try {
                new RepositoryImport(store).run(file, TransferProgress.NONE);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });

        assertThatThrownBy(() -> new RepositoryImport(met).run(file, TransferProgress.NONE))
                .isInstanceOf(TransferRefusedException.class)
                .hasMessageContaining("Somebody else works on this store");

        assertThat(Exports.export(store)).isEqualTo(exported);
    }
}
