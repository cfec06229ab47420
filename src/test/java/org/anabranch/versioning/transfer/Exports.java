package org.anabranch.versioning.transfer;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import org.anabranch.model.Operation;
import org.anabranch.model.ReferenceKind;
import org.anabranch.store.Change;
import org.anabranch.store.ReferenceRow;
import org.anabranch.store.Store;
import org.anabranch.testing.RandomHistory;
import org.anabranch.testing.TestCatalog;

/** Exports into memory and files, and repositories that are worth it. */
final class Exports {

    /** Stands still: nothing here takes long enough for a sweep. */
    static final InstantSource CLOCK = InstantSource.fixed(Instant.EPOCH);

    private Exports() {}

    /** An export in blocks of that many bytes. */
    static byte[] export(Store store, int blockBytes) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        new RepositoryExport(store, CLOCK, blockBytes).run(out, TransferProgress.NONE, () -> false);
        return out.toByteArray();
    }

    static byte[] export(Store store) throws IOException {
        return export(store, ExportWriter.BLOCK_BYTES);
    }

    static ExportFile file(Path folder, byte[] bytes) throws IOException {
        return ExportFile.verify(
                Files.write(Files.createTempFile(folder, "repository", ".export"), bytes), TransferProgress.NONE);
    }

    /** Branches that merge each other, a tag, an empty branch, one that was set back, large contents, and a branch that is gone. */
    static void grow(TestCatalog catalog, Random random) {
        RandomHistory history = new RandomHistory(catalog, random);
        history.fill(TestCatalog.MAIN, 1 + random.nextInt(400));
        catalog.branch("side", TestCatalog.MAIN);
        history.grow("side", TestCatalog.MAIN, 15);
        history.grow(TestCatalog.MAIN, "side", 40);
        catalog.commit(TestCatalog.MAIN, TestCatalog.put("large", TestCatalog.table("x".repeat(2_000))));
        catalog.branch("gone", "side");
        history.change("gone");
        delete(catalog.store(), "gone");
        catalog.branch("fork", TestCatalog.MAIN);
        history.change("fork");
        tag(catalog.store(), "v1", catalog.row(TestCatalog.MAIN));
        tag(catalog.store(), "a-tag/of.side", catalog.row("side"));
    }

    static Operation[] tables(int count) {
        return java.util.stream.IntStream.range(0, count)
                .mapToObj(i -> TestCatalog.put("t" + i, TestCatalog.table("table " + i)))
                .toArray(Operation[]::new);
    }

    static void tag(Store store, String name, ReferenceRow at) {
        store.write(
                List.of(),
                List.of(at.head().number()),
                new Change.OfReference(
                        name,
                        null,
                        new ReferenceRow(name, ReferenceKind.TAG, at.head(), store.numbers(1), 1, 77, List.of())),
                List.of());
    }

    private static void delete(Store store, String name) {
        ReferenceRow row = store.reference(name).orElseThrow();
        store.write(List.of(), List.of(), new Change.OfReference(name, row, null), List.of());
    }
}
