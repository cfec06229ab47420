package org.anabranch.versioning.transfer;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Set;
import java.util.function.Consumer;
import org.anabranch.model.CommitId;
import org.anabranch.model.ReferenceName;
import org.anabranch.object.CorruptObjectException;
import org.anabranch.object.ExportCodec;
import org.anabranch.object.ExportedCommit;
import org.anabranch.object.ExportedReference;
import org.anabranch.object.ExportedReference.EarlierHead;
import org.anabranch.store.RepositoryRow;
import org.anabranch.versioning.refs.Repository;
import org.jspecify.annotations.Nullable;

/** The file of an export that was read through, and in which everything was as it must be. */
public final class ExportFile {

    private static final int BUFFER_BYTES = 1 << 16;
    private static final String CHANGED = "the file was changed since it was verified";

    private final Path path;
    private final RepositoryRow repository;
    private final CommitLedger ledger;
    private final ExportReport report;

    private ExportFile(Path path, RepositoryRow repository, CommitLedger ledger, ExportReport report) {
        this.path = path;
        this.repository = repository;
        this.ledger = ledger;
        this.report = report;
    }

    /** What it holds. */
    public ExportReport report() {
        return report;
    }

    /** The record of the repository as a new one. */
    RepositoryRow repository() {
        return repository;
    }

    /**
     * Reads a file through: every checksum, the digest of the whole, every commit against its hash and its parents, that each is
     * there once, and that references lead to commits of the file. Takes 56 to 64 bytes of memory a commit, and 100 a reference and
     * head.
     *
     * @throws ExportFileException at the first thing that is wrong
     * @throws IOException if the file cannot be read
     */
    public static ExportFile verify(Path path, TransferProgress progress) throws IOException {
        CommitLedger ledger = new CommitLedger();
        Set<String> names = new HashSet<>();
        Set<CommitId> heads = new HashSet<>();
        RepositoryRow repository = null;
        long size = Files.size(path);
        try (InputStream in = open(path)) {
            ExportReader reader = new ExportReader(in);
            for (ExportReader.Block block = reader.next(); block != null; block = reader.next()) {
                progress.at(TransferStage.VERIFYING, reader.position(), size);
                for (byte[] encoded : block.records()) {
                    switch (block.kind()) {
                        case REPOSITORY -> {
                            if (repository != null) {
                                throw block.wrong("there are two repository records", null);
                            }
                            repository = repository(block, encoded);
                        }
                        case REFERENCES -> {
                            ExportedReference reference = reference(block, encoded);
                            if (!names.add(reference.name())) {
                                throw block.wrong("reference '" + reference.name() + "' is there twice", null);
                            }
                            heads.add(reference.head());
                            reference.published().stream()
                                    .map(EarlierHead::head)
                                    .forEach(heads::add);
                        }
                        case COMMITS -> {
                            ExportedCommit commit = commit(block, encoded, ledger);
                            try {
                                ledger.add(commit);
                            } catch (IllegalArgumentException e) {
                                throw block.wrong(
                                        "commit number " + commit.ordinal() + ", " + commit.id() + ": "
                                                + e.getMessage(),
                                        e);
                            }
                            heads.remove(commit.id());
                        }
                        case END -> throw new IllegalStateException("The end holds no records");
                    }
                }
            }
            heads.remove(CommitId.NO_ANCESTOR);
            ExportReader.End end = reader.end();
            if (repository == null
                    || end.references() != names.size()
                    || end.commits() != ledger.size()
                    || !heads.isEmpty()) {
                throw new ExportFileException(
                        heads.isEmpty()
                                ? "the file does not hold as much as its end says"
                                : "a reference leads to " + heads.iterator().next() + ", which is not in the file",
                        reader.position(),
                        null);
            }
            return new ExportFile(
                    path,
                    repository,
                    ledger,
                    new ExportReport(
                            repository.id(),
                            names.size(),
                            ledger.size(),
                            reader.position(),
                            HexFormat.of().formatHex(end.digest())));
        }
    }

    /**
     * Reads the references, in their order.
     *
     * @throws ExportFileException at the end, if the file is not the one that was verified
     */
    void references(Consumer<ExportedReference> each) throws IOException {
        read(BlockKind.REFERENCES, (block, encoded) -> each.accept(reference(block, encoded)));
    }

    /**
     * Reads the commits, parents before children.
     *
     * @throws ExportFileException at the first commit that is not the one that was verified, or at the end
     */
    void commits(Consumer<ExportedCommit> each) throws IOException {
        int[] ordinal = {0};
        read(BlockKind.COMMITS, (block, encoded) -> {
            ordinal[0]++;
            ExportedCommit commit;
            try {
                commit = ExportCodec.decodeCommit(encoded, ordinal[0], ledger::id);
            } catch (CorruptObjectException | IllegalArgumentException e) {
                throw changed(block, e);
            }
            if (ordinal[0] > ledger.size() || !commit.id().equals(ledger.id(ordinal[0]))) {
                throw changed(block, null);
            }
            each.accept(commit);
        });
    }

    private static ExportFileException changed(ExportReader.Block block, @Nullable Throwable cause) {
        return block.wrong(CHANGED, cause);
    }

    private interface RecordReader {
        void read(ExportReader.Block block, byte[] encoded);
    }

    private void read(BlockKind kind, RecordReader each) throws IOException {
        try (InputStream in = open(path)) {
            ExportReader reader = new ExportReader(in);
            for (ExportReader.Block block = reader.next(); block != null; block = reader.next()) {
                if (block.kind() == kind) {
                    for (byte[] encoded : block.records()) {
                        each.read(block, encoded);
                    }
                }
            }
            if (!HexFormat.of().formatHex(reader.end().digest()).equals(report.digest())) {
                throw new ExportFileException(CHANGED, reader.position(), null);
            }
        }
    }

    private static InputStream open(Path path) throws IOException {
        return new BufferedInputStream(Files.newInputStream(path), BUFFER_BYTES);
    }

    private static RepositoryRow repository(ExportReader.Block block, byte[] encoded) {
        try {
            RepositoryRow row = ExportCodec.decodeRepository(encoded, Repository.FORMAT_VERSION);
            new ReferenceName(row.defaultBranch());
            return row;
        } catch (CorruptObjectException | IllegalArgumentException e) {
            throw block.wrong("the repository record cannot be read: " + e.getMessage(), e);
        }
    }

    private static ExportedReference reference(ExportReader.Block block, byte[] encoded) {
        try {
            ExportedReference reference = ExportCodec.decodeReference(encoded);
            new ReferenceName(reference.name());
            return reference;
        } catch (CorruptObjectException | IllegalArgumentException e) {
            throw block.wrong("a reference cannot be read: " + e.getMessage(), e);
        }
    }

    private static ExportedCommit commit(ExportReader.Block block, byte[] encoded, CommitLedger ledger) {
        int ordinal = ledger.size() + 1;
        try {
            return ExportCodec.decodeCommit(encoded, ordinal, ledger::id);
        } catch (CorruptObjectException | IllegalArgumentException e) {
            throw block.wrong("commit number " + ordinal + " cannot be read: " + e.getMessage(), e);
        }
    }
}
