package org.anabranch.versioning.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.anabranch.model.ReferenceKind;
import org.anabranch.object.ExportedReference;
import org.anabranch.store.Change;
import org.anabranch.store.ChunkAddress;
import org.anabranch.store.ReferenceRow;
import org.anabranch.store.Store;
import org.anabranch.testing.ForwardingStore;
import org.anabranch.testing.TestCatalog;
import org.anabranch.versioning.sweep.StoreSweep;
import org.anabranch.versioning.sweep.SweepMode;
import org.anabranch.versioning.sweep.SweepProgress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What references led to when the export began cannot go before it ends. */
class ExportBesideSweepsTest {

    private static final Duration GRACE = Duration.ofMinutes(1);
    private static final String DOOMED = "z-doomed";

    @TempDir
    Path folder;

    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private final InstantSource clock = () -> now;

    @Test
    void aBranchThatIsDeletedMeanwhileComesOutWhole() throws Exception {
        try (TestCatalog catalog = new TestCatalog()) {
            for (int i = 0; i < 1_200; i++) {
                catalog.commit(TestCatalog.MAIN, TestCatalog.put("t" + i, TestCatalog.table("x")));
            }
            catalog.branch(DOOMED, TestCatalog.MAIN);
            catalog.commit(DOOMED, TestCatalog.put("doomed", TestCatalog.table("x")));
            Store store = catalog.store();
            byte[] before = Exports.export(store);
            StoreSweep sweep = new StoreSweep(store, clock, GRACE);
            int[] sweeps = {0};

            ByteArrayOutputStream out = new ByteArrayOutputStream();
            new RepositoryExport(store, clock)
                    .run(
                            out,
                            (stage, done, total) -> {
                                if (stage == TransferStage.EXPORTING) {
                                    delete(store);
                                    now = now.plusSeconds(25);
                                    sweep.run(SweepMode.SWEEP, SweepProgress.NONE, () -> false);
                                    sweeps[0]++;
                                }
                            },
                            () -> false);

            assertThat(Duration.ofSeconds(25).multipliedBy(sweeps[0])).isGreaterThan(GRACE.multipliedBy(3));
            assertThat(out.toByteArray()).isEqualTo(before);
            assertThat(Exports.file(folder, out.toByteArray()).report().commits())
                    .isEqualTo(1_201);
            now = now.plus(GRACE);
            assertThat(sweep.run(SweepMode.SWEEP, SweepProgress.NONE, () -> false)
                            .deleted())
                    .as("a sweep after the export takes what it held")
                    .isEqualTo(1);
        }
    }

    /** Branches are read before tags, so the name is met twice. */
    @Test
    void aBranchThatBecomesATagMeanwhileComesOutOnce() throws Exception {
        try (TestCatalog catalog = new TestCatalog()) {
            catalog.commit(TestCatalog.MAIN, TestCatalog.put("t", TestCatalog.table("x")));
            catalog.branch(DOOMED, TestCatalog.MAIN);
            Store becoming = new ForwardingStore(catalog.store()) {
                @Override
                public List<ReferenceRow> references(ReferenceKind kind, String afterName, int limit) {
                    if (kind == ReferenceKind.TAG && afterName.isEmpty()) {
                        ExportBesideSweepsTest.delete(delegate);
                        Exports.tag(delegate, DOOMED, catalog.row(TestCatalog.MAIN));
                    }
                    return super.references(kind, afterName, limit);
                }
            };

            ExportFile file = Exports.file(folder, Exports.export(becoming));

            List<ExportedReference> references = new ArrayList<>();
            file.references(references::add);
            assertThat(references)
                    .extracting(ExportedReference::name, ExportedReference::kind)
                    .containsExactly(
                            tuple(TestCatalog.MAIN, ReferenceKind.BRANCH), tuple(DOOMED, ReferenceKind.BRANCH));
        }
    }

    /** Before each trip of the export somebody commits, deletes and creates a branch, or sweeps, three times, and time goes by. */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(ints = {1, 2, 3})
    void whateverIsDoneMeanwhileTheFileIsWhole(int seed) throws Exception {
        Random random = new Random(seed);
        try (TestCatalog catalog = new TestCatalog()) {
            for (int i = 0; i < 1_000; i++) {
                catalog.commit(TestCatalog.MAIN, TestCatalog.put("t" + i, TestCatalog.table("x")));
            }
            Store store = catalog.store();
            StoreSweep sweep = new StoreSweep(store, clock, GRACE);
            int[] done = new int[4];
            Runnable meanwhile = () -> {
                now = now.plusSeconds(3);
                int what = random.nextInt(done.length);
                done[what]++;
                boolean isThere = store.reference(DOOMED).isPresent();
                if (what == 0) {
                    catalog.commit(
                            isThere ? DOOMED : TestCatalog.MAIN,
                            TestCatalog.put("m" + now.getEpochSecond(), TestCatalog.table("x")));
                } else if (what == 1 && isThere) {
                    delete(store);
                } else if (what < 3 && !isThere) {
                    catalog.branch(DOOMED, TestCatalog.MAIN);
                } else {
                    sweep.run(SweepMode.SWEEP, SweepProgress.NONE, () -> false);
                }
            };
            Store busy = new ForwardingStore(store) {
                @Override
                public List<ReferenceRow> references(ReferenceKind kind, String afterName, int limit) {
                    IntStream.range(0, 3).forEach(each -> meanwhile.run());
                    return super.references(kind, afterName, limit);
                }

                @Override
                public List<byte[]> fetch(List<ChunkAddress> chunks) {
                    IntStream.range(0, 3).forEach(each -> meanwhile.run());
                    return super.fetch(chunks);
                }
            };

            ByteArrayOutputStream out = new ByteArrayOutputStream();
            new RepositoryExport(busy, clock).run(out, TransferProgress.NONE, () -> false);

            assertThat(done).doesNotContain(0);
            assertThat(Exports.file(folder, out.toByteArray()).report().commits())
                    .isGreaterThanOrEqualTo(1_000);
        }
    }

    private static void delete(Store store) {
        ReferenceRow row = store.reference(DOOMED).orElse(null);
        if (row != null) {
            store.write(List.of(), List.of(), new Change.OfReference(DOOMED, row, null), List.of());
        }
    }
}
