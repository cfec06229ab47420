package org.anabranch.versioning.transfer;

import java.io.IOException;
import org.anabranch.store.RepositoryRow;
import org.anabranch.store.Store;

/**
 * Brings the repository of an export into an empty store, where it has the same id, salt, references and hashes.
 *
 * <p>The file was verified whole before. First the record is written in a state that no program serves, then
 * commits, then references, and at last the record as it shall be: nothing is visible until everything is there. An import that
 * was broken off goes on when it is started again, with what it finds in the store.
 */
public final class RepositoryImport {

    private final Store store;

    public RepositoryImport(Store store) {
        this.store = store;
    }

    /**
     * Imports a file. Takes 8 bytes of memory a commit beside what the file takes, 60 more for one that an earlier attempt wrote, 64 MB
     * of cache and a few megabytes of commits in hand.
     *
     * @throws ExportFileException if the file was changed since it was verified; nothing is visible
     * @throws TransferRefusedException if the store is not empty, or another import works on it
     * @throws org.anabranch.store.StoreUnavailableException if the store does not work; start the import again
     * @throws org.anabranch.store.OutcomeUnknownException as before
     * @throws IOException if the file cannot be read
     */
    public ImportReport run(ExportFile file, TransferProgress progress) throws IOException {
        RepositoryRow row = file.repository();
        StoreLoader loader = StoreLoader.begin(store, row, "a file with repository " + row.id());
        long total = file.report().commits();
        file.commits(commit -> {
            loader.add(commit);
            progress.at(TransferStage.IMPORTING, commit.ordinal(), total);
        });
        loader.endCommits();
        long references = file.report().references();
        long[] created = {0};
        file.references(reference -> {
            loader.add(reference);
            progress.at(TransferStage.REFERENCES, ++created[0], references);
        });
        loader.end(row.oldestCommitAtMicros(), row.configs());
        return new ImportReport(
                row.id(), references, total, loader.found(), file.report().digest());
    }
}
