package org.anabranch.versioning.transfer;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.anabranch.model.CommitId;
import org.anabranch.model.ReferenceKind;
import org.anabranch.model.ReferenceName;
import org.anabranch.object.CorruptObjectException;
import org.anabranch.object.ExportCodec;
import org.anabranch.object.ExportedCommit;
import org.anabranch.object.ExportedReference;
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
     * there once, that references lead to commits of the file, and that the default branch is among them. Takes 56 to 64 bytes of
     * memory a commit, and 100 a reference and head.
     *
     * @throws ExportFileException at the first thing that is wrong
     * @throws IOException if the file cannot be read
     */
    public static ExportFile verify(Path path, TransferProgress progress) throws IOException {
        long size = Files.size(path);
        Verification found = new Verification();
        try (InputStream in = open(path)) {
            ExportReader reader = new ExportReader(in);
            for (ExportReader.Block block = reader.next(); block != null; block = reader.next()) {
                progress.at(TransferStage.VERIFYING, reader.position(), size);
                for (byte[] encoded : block.records()) {
                    switch (block.kind()) {
                        case REPOSITORY -> found.addRepository(block, encoded);
                        case REFERENCES -> found.addReference(block, encoded);
                        case COMMITS -> found.addCommit(block, encoded);
                        case END -> throw new IllegalStateException("The end holds no records");
                    }
                }
            }
            return found.whole(path, reader);
        }
    }

    /** What was found in a file so far. */
    private static final class Verification {

        private final CommitLedger ledger = new CommitLedger();
        private final Set<String> names = new HashSet<>();

        /** Where references lead to, with one of their names, without the commits that came. */
        private final Map<CommitId, String> heads = new HashMap<>();

        private @Nullable RepositoryRow repository;
        private boolean hasDefaultBranch;

        private void addRepository(ExportReader.Block block, byte[] encoded) {
            if (repository != null) {
                throw block.wrong("there are two repository records", null);
            }
            repository = repository(block, encoded);
        }

        private void addReference(ExportReader.Block block, byte[] encoded) {
            ExportedReference reference = reference(block, encoded);
            String name = reference.name();
            if (!names.add(name)) {
                throw block.wrong("reference '" + name + "' is there twice", null);
            }
            if (repository != null && name.equals(repository.defaultBranch())) {
                hasDefaultBranch = reference.kind() == ReferenceKind.BRANCH;
            }
            heads.putIfAbsent(reference.head(), name);
            reference.published().forEach(earlier -> heads.putIfAbsent(earlier.head(), name));
        }

        private void addCommit(ExportReader.Block block, byte[] encoded) {
            ExportedCommit commit = commit(block, encoded, ledger);
            try {
                ledger.add(commit);
            } catch (IllegalArgumentException e) {
                throw block.wrong("commit number " + commit.ordinal() + ", " + commit.id() + ": " + e.getMessage(), e);
            }
            heads.remove(commit.id());
        }

        private ExportFile whole(Path path, ExportReader reader) {
            ExportReader.End end = reader.end();
            if (repository == null || end.references() != names.size() || end.commits() != ledger.size()) {
                throw new ExportFileException(
                        "the file does not hold as much as its end says", reader.position(), null);
            }
            if (!hasDefaultBranch) {
                throw new ExportFileException(
                        "the default branch '" + repository.defaultBranch() + "' is not among the branches of the file",
                        reader.position(),
                        null);
            }
            heads.remove(CommitId.NO_ANCESTOR);
            if (!heads.isEmpty()) {
                Map.Entry<CommitId, String> missing =
                        heads.entrySet().iterator().next();
                throw new ExportFileException(
                        "reference '" + missing.getValue() + "' leads to " + missing.getKey()
                                + ", which is not in the file",
                        reader.position(),
                        null);
            }
            ExportReport report = new ExportReport(
                    repository.id(),
                    names.size(),
                    ledger.size(),
                    reader.position(),
                    HexFormat.of().formatHex(end.digest()));
            return new ExportFile(path, repository, ledger, report);
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
