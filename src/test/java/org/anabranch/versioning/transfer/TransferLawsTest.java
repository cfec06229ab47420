package org.anabranch.versioning.transfer;

import static org.anabranch.testing.TestCatalog.MAIN;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.anabranch.model.ReferenceKind;
import org.anabranch.store.Store;
import org.anabranch.store.embedded.EmbeddedStore;
import org.anabranch.store.memory.MemoryStore;
import org.anabranch.testing.TestCatalog;
import org.anabranch.versioning.check.CheckReport;
import org.anabranch.versioning.check.RepositoryCheck;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What goes out and comes in is the same repository, in whatever stores. */
class TransferLawsTest {

    @TempDir
    Path folder;

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
    void aRepositoryComesBackTheSame(int seed) throws Exception {
        Random random = new Random(seed);
        int blockBytes = 1 << random.nextInt(4, 18);
        try (TestCatalog catalog = new TestCatalog();
                Store other = new MemoryStore()) {
            Exports.grow(catalog, random);
            byte[] exported = Exports.export(catalog.store(), blockBytes);

            ImportReport report =
                    new RepositoryImport(other).run(Exports.file(folder, exported), TransferProgress.NONE);

            assertThat(report.found()).isZero();
            assertThat(Exports.export(other, blockBytes)).isEqualTo(exported);
            assertThat(RepositoryCheck.full(other))
                    .matches(CheckReport::isClean)
                    .satisfies(check -> assertThat(check.commits()).isEqualTo(report.commits()))
                    .satisfies(check -> assertThat(check.references()).isEqualTo(report.references()));
            assertSame(catalog, other);
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(ints = {11, 12})
    void alsoOnDisk(int seed) throws Exception {
        Random random = new Random(seed);
        try (Store one = EmbeddedStore.open(folder.resolve("one"));
                TestCatalog catalog = new TestCatalog(one);
                Store other = EmbeddedStore.open(folder.resolve("other"))) {
            Exports.grow(catalog, random);
            byte[] exported = Exports.export(one);

            new RepositoryImport(other).run(Exports.file(folder, exported), TransferProgress.NONE);

            assertThat(Exports.export(other)).isEqualTo(exported);
            assertThat(RepositoryCheck.full(other)).matches(CheckReport::isClean);
            assertSame(catalog, other);
        }
    }

    /** Names, places, values and what was remembered of them. */
    private static void assertSame(TestCatalog catalog, Store other) {
        try (TestCatalog imported = new TestCatalog(other)) {
            for (ReferenceKind kind : ReferenceKind.values()) {
                assertThat(other.references(kind, "", 100))
                        .zipSatisfy(catalog.store().references(kind, "", 100), (mine, theirs) -> {
                            assertThat(mine.reference()).isEqualTo(theirs.reference());
                            assertThat(mine.createdAtMicros()).isEqualTo(theirs.createdAtMicros());
                            assertThat(mine.published().stream()
                                            .map(each -> each.head().id() + " " + each.publishedAtMicros()))
                                    .isEqualTo(theirs.published().stream()
                                            .map(each -> each.head().id() + " " + each.publishedAtMicros())
                                            .toList());
                        });
            }
            for (String branch : List.of(MAIN, "side", "fork", "v1")) {
                assertThat(imported.contents(branch)).isEqualTo(catalog.contents(branch));
                assertThat(imported.log(branch).stream().map(each -> each.header()))
                        .isEqualTo(catalog.log(branch).stream()
                                .map(each -> each.header())
                                .toList());
            }
            imported.commit(MAIN, TestCatalog.put("new", TestCatalog.table("goes on")));
        }
    }

    @Test
    void anEmptyRepositoryIsAlsoOne() throws Exception {
        try (TestCatalog catalog = new TestCatalog();
                Store other = new MemoryStore()) {
            byte[] exported = Exports.export(catalog.store());

            new RepositoryImport(other).run(Exports.file(folder, exported), TransferProgress.NONE);

            assertThat(Exports.export(other)).isEqualTo(exported);
        }
    }
}
