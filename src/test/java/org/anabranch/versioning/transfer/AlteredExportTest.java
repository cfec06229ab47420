package org.anabranch.versioning.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.anabranch.store.Store;
import org.anabranch.store.memory.MemoryStore;
import org.anabranch.testing.TestCatalog;
import org.anabranch.versioning.check.CheckReport;
import org.anabranch.versioning.check.RepositoryCheck;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A small export, altered at every single byte: it is refused as a file that is wrong, or it is a repository. */
class AlteredExportTest {

    @TempDir
    Path folder;

    private byte[] bytes = {};

    @BeforeEach
    void write() throws IOException {
        try (TestCatalog catalog = new TestCatalog()) {
            catalog.commit(TestCatalog.MAIN, TestCatalog.put("a", TestCatalog.table("one")));
            bytes = Exports.export(catalog.store(), 300);
        }
    }

    @Test
    void atAnyByte() {
        Random random = new Random(1);
        for (int at = 0; at < bytes.length; at++) {
            byte[] altered = bytes.clone();
            altered[at] ^= (byte) (1 << random.nextInt(8));
            byte[] cut = Arrays.copyOf(bytes, at);
            assertThatThrownBy(() -> Exports.file(folder, altered)).isInstanceOf(ExportFileException.class);
            assertThatThrownBy(() -> Exports.file(folder, cut)).isInstanceOf(ExportFileException.class);
        }
    }

    /** As by somebody who makes a file of his own: checksums and digest are right. */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14})
    void atAnyByteOfAPayload(int seed) throws IOException {
        Random random = new Random(seed);
        List<ExportReader.Block> blocks = new ArrayList<>();
        ExportReader reader = new ExportReader(new ByteArrayInputStream(bytes));
        for (ExportReader.Block block = reader.next(); block != null; block = reader.next()) {
            blocks.add(block);
        }
        int refused = 0;
        for (int block = 0; block < blocks.size(); block++) {
            byte[] payload = blocks.get(block).payload();
            for (int at = 0; at < payload.length; at++) {
                byte[] altered = payload.clone();
                altered[at] = (byte) random.nextInt(256);
                byte[] forged = sealed(blocks, block, altered, reader.end());
                try (Store store = new MemoryStore()) {
                    new RepositoryImport(store).run(Exports.file(folder, forged), TransferProgress.NONE);
                    assertThat(RepositoryCheck.full(store)).matches(CheckReport::isClean);
                } catch (ExportFileException e) {
                    refused++;
                }
            }
        }
        assertThat(refused).isGreaterThan(100);
    }

    private static byte[] sealed(List<ExportReader.Block> blocks, int changed, byte[] payload, ExportReader.End end)
            throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        BlockWriter writer = new BlockWriter(out);
        writer.begin();
        for (int i = 0; i < blocks.size(); i++) {
            writer.write(
                    blocks.get(i).kind(), i == changed ? payload : blocks.get(i).payload());
        }
        writer.write(BlockKind.END, ExportFormat.end(end.references(), end.commits(), writer.digest()));
        return out.toByteArray();
    }
}
