package org.anabranch.versioning.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.anabranch.model.CommitId;
import org.anabranch.model.ReferenceKind;
import org.anabranch.object.ExportedCommit;
import org.anabranch.object.ExportedReference;
import org.anabranch.store.RepositoryRow;
import org.anabranch.testing.TestCatalog;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A file that is not as it was written is refused, wherever that is. */
class ExportFileTest {

    private static final int BLOCK_BYTES = 400;

    @TempDir
    Path folder;

    private byte[] bytes = {};

    @BeforeEach
    void write() throws IOException {
        try (TestCatalog catalog = new TestCatalog()) {
            Exports.grow(catalog, new Random(1));
            bytes = Exports.export(catalog.store(), BLOCK_BYTES);
        }
    }

    /** Where blocks begin, and where the last one ends. */
    private List<Integer> starts() {
        List<Integer> starts = new ArrayList<>();
        int at = ExportFormat.MAGIC.length + 1;
        while (at < bytes.length) {
            starts.add(at);
            at += ExportFormat.HEAD_BYTES + ByteBuffer.wrap(bytes).getInt(at + 5) + Integer.BYTES;
        }
        starts.add(at);
        return starts;
    }

    @Test
    void itHasManyBlocks() throws IOException {
        assertThat(starts()).hasSizeGreaterThan(25).last().isEqualTo(bytes.length);
        assertThat(Exports.file(folder, bytes).report().commits()).isGreaterThan(50);
    }

    @Test
    void everyFlippedByteIsNoticed() {
        Random random = new Random(2);
        List<Integer> starts = starts();
        for (int block = 0; block < starts.size() - 1; block++) {
            int begin = starts.get(block);
            int end = starts.get(block + 1);
            for (int at : List.of(begin, begin + 1, begin + 5, begin + 9, end - 1, random.nextInt(begin, end))) {
                byte[] altered = bytes.clone();
                altered[at] ^= (byte) (1 << random.nextInt(8));
                assertRefused(altered, begin);
            }
        }
        for (int at = 0; at <= ExportFormat.MAGIC.length; at++) {
            byte[] altered = bytes.clone();
            altered[at] ^= 1;
            assertThatThrownBy(() -> Exports.file(folder, altered)).isInstanceOf(ExportFileException.class);
        }
    }

    private void assertRefused(byte[] altered, int begin) {
        assertThatThrownBy(() -> Exports.file(folder, altered))
                .isInstanceOfSatisfying(
                        ExportFileException.class, e -> assertThat(e.position()).isEqualTo(begin))
                .hasMessageStartingWith("At byte " + begin + ": ");
    }

    @Test
    void aFileThatIsCutOffAnywhereIsRefusedWhereItsLastBlockBegins() {
        List<Integer> starts = starts();
        for (int block = 0; block < starts.size() - 1; block++) {
            int begin = starts.get(block);
            assertRefused(Arrays.copyOf(bytes, begin), begin);
            assertRefused(Arrays.copyOf(bytes, starts.get(block + 1) - 1), begin);
        }
        assertRefused(Arrays.copyOf(bytes, bytes.length + 1), bytes.length);
    }

    /** Each of them carries right checksums: only the whole shows it. */
    @Test
    void aBlockThatIsMissingTwiceThereOrExchangedIsNoticed() throws IOException {
        List<ExportReader.Block> blocks = new ArrayList<>();
        ExportReader reader = new ExportReader(new ByteArrayInputStream(bytes));
        for (ExportReader.Block block = reader.next(); block != null; block = reader.next()) {
            blocks.add(block);
        }
        assertThat(forged(blocks)).isEqualTo(bytes);
        int commits = blocks.stream().map(ExportReader.Block::kind).toList().indexOf(BlockKind.COMMITS);

        List<ExportReader.Block> missing = new ArrayList<>(blocks);
        missing.remove(commits + 3);
        List<ExportReader.Block> twice = new ArrayList<>(blocks);
        twice.add(commits + 3, blocks.get(commits + 3));
        List<ExportReader.Block> exchanged = new ArrayList<>(blocks);
        Collections.swap(exchanged, commits, commits + 1);
        List<ExportReader.Block> shortened = blocks.subList(0, blocks.size() - 1);
        List<ExportReader.Block> referenceTwice = new ArrayList<>(blocks);
        referenceTwice.add(2, blocks.get(1));
        for (List<ExportReader.Block> forged : List.of(missing, twice, exchanged, shortened, referenceTwice)) {
            assertThatThrownBy(() -> Exports.file(folder, forged(forged))).isInstanceOf(ExportFileException.class);
        }
    }

    private static byte[] forged(List<ExportReader.Block> blocks) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        BlockWriter writer = new BlockWriter(out);
        writer.begin();
        long references = 0;
        long commits = 0;
        for (ExportReader.Block block : blocks) {
            writer.write(block.kind(), block.payload());
            for (byte[] record : block.records()) {
                assertThat(record).isNotEmpty();
                references += block.kind() == BlockKind.REFERENCES ? 1 : 0;
                commits += block.kind() == BlockKind.COMMITS ? 1 : 0;
            }
        }
        writer.write(BlockKind.END, ExportFormat.end(references, commits, writer.digest()));
        return out.toByteArray();
    }

    /** Everything else about it is right: its parents stand before it, and the end counts it. */
    @ParameterizedTest(name = "commit number {0}")
    @ValueSource(ints = {1, 2, 17, 50})
    void aCommitThatIsThereTwiceIsNamedWithItsPlaces(int twice) throws IOException {
        Contents contents = contents();
        ExportedCommit first = contents.commits().get(twice - 1);
        int last = contents.commits().size() + 1;
        contents.commits().add(new ExportedCommit(last, first.id(), first.parents(), first.commit()));

        assertThatThrownBy(() -> Exports.file(folder, contents.written()))
                .isInstanceOfSatisfying(
                        ExportFileException.class,
                        e -> assertThat(e.position()).isBetween(bytes.length - 2L * BLOCK_BYTES, (long) bytes.length))
                .hasMessageContaining("commit number " + last + ", " + first.id()
                        + ": it is there already, as commit number " + twice);
    }

    @Test
    void aReferenceThatLeadsToNoCommitOfTheFileIsNamed() throws IOException {
        Contents contents = contents();
        CommitId nowhere = CommitId.parse("ab".repeat(32));
        contents.references().add(new ExportedReference(ReferenceKind.TAG, "lost", nowhere, 1, List.of()));

        assertThatThrownBy(() -> Exports.file(folder, contents.written()))
                .isInstanceOf(ExportFileException.class)
                .hasMessageContaining("reference 'lost' leads to " + nowhere + ", which is not in the file");
    }

    /** Without it no repository is whole, and a check would say so. */
    @ParameterizedTest
    @EnumSource(ReferenceKind.class)
    void aFileWithoutTheDefaultBranchIsRefused(ReferenceKind kind) throws IOException {
        Contents contents = contents();
        contents.references().removeIf(reference -> reference.name().equals(TestCatalog.MAIN));
        if (kind == ReferenceKind.TAG) {
            contents.references()
                    .add(new ExportedReference(kind, TestCatalog.MAIN, CommitId.NO_ANCESTOR, 1, List.of()));
        }

        assertThatThrownBy(() -> Exports.file(folder, contents.written()))
                .isInstanceOf(ExportFileException.class)
                .hasMessageContaining("the default branch 'main' is not among the branches of the file");
    }

    /** What the file holds, to be written otherwise. */
    private record Contents(
            RepositoryRow repository, List<ExportedReference> references, List<ExportedCommit> commits) {

        byte[] written() throws IOException {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            ExportWriter writer = new ExportWriter(out, BLOCK_BYTES);
            writer.begin(repository);
            for (ExportedReference reference : references) {
                writer.add(reference);
            }
            for (ExportedCommit commit : commits) {
                writer.add(commit);
            }
            writer.end();
            return out.toByteArray();
        }
    }

    private Contents contents() throws IOException {
        ExportFile file = Exports.file(folder, bytes);
        Contents contents = new Contents(file.repository(), new ArrayList<>(), new ArrayList<>());
        file.references(contents.references()::add);
        file.commits(contents.commits()::add);
        assertThat(contents.written()).isEqualTo(bytes);
        return contents;
    }

    @Test
    void anotherVersionIsNamed() {
        byte[] next = bytes.clone();
        next[ExportFormat.MAGIC.length] = 2;

        assertThatThrownBy(() -> Exports.file(folder, next))
                .hasMessageContaining("the export has version 2, and this program reads version 1 only");
    }

    @Test
    void aBlockThatClaimsMoreThanAnyHasIsRefusedBeforeItIsHeld() throws IOException {
        int most = 512 << 20;
        for (int claim : List.of(most + 1, Integer.MAX_VALUE, -1)) {
            String refusal = "At byte " + (ExportFormat.MAGIC.length + 1)
                    + ": block 1, which begins here, claims to have " + Integer.toUnsignedLong(claim)
                    + " bytes, and a block has at most 536870912";
            assertThatThrownBy(() -> claiming(claim, 3)).hasMessage(refusal);
            assertThatThrownBy(() -> claiming(3, claim)).hasMessage(refusal);
        }
        assertThatThrownBy(() -> claiming(most, 3)).hasMessageContaining("it cannot be so long");
        assertThatThrownBy(() -> claiming(3, most)).hasMessageContaining("cut off");
    }

    /** Reads a file whose first block says what it has of payload and of stored bytes, and has three. */
    private void claiming(int payloadBytes, int storedBytes) throws IOException {
        ByteBuffer head = ByteBuffer.allocate(ExportFormat.HEAD_BYTES)
                .put((byte) 1)
                .putInt(payloadBytes)
                .putInt(storedBytes);
        byte[] stored = {1, 2, 3};
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        DataOutputStream data = new DataOutputStream(out);
        data.write(bytes, 0, ExportFormat.MAGIC.length + 1);
        data.write(head.array());
        data.write(stored);
        data.writeInt((int) ExportFormat.checksum(0, head.array(), stored).getValue());
        Exports.file(folder, out.toByteArray());
    }
}
