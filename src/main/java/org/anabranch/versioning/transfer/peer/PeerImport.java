package org.anabranch.versioning.transfer.peer;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.UUID;
import org.anabranch.api.client.ApiClient;
import org.anabranch.model.CommitId;
import org.anabranch.model.Content;
import org.anabranch.model.ContentKey;
import org.anabranch.object.ExportedCommit;
import org.anabranch.object.ExportedReference;
import org.anabranch.object.LogicalCommit;
import org.anabranch.store.Instants;
import org.anabranch.store.RepositoryRow;
import org.anabranch.store.Store;
import org.anabranch.versioning.transfer.CommitLedger;
import org.anabranch.versioning.transfer.StoreLoader;
import org.anabranch.versioning.transfer.TransferProgress;
import org.anabranch.versioning.transfer.TransferStage;
import org.anabranch.versioning.transfer.peer.PeerServer.PeerReference;

/**
 * Brings the repository of another server of API v2 into an empty store: all branches and tags, and all commits that they lead to
 * by any parents, with order, metadata, times and contents. Hashes are new, because they say what a commit is here.
 *
 * <p>References are read once, at the beginning; what they lead to is read by hashes. Nothing is visible here until all of it is
 * there and, unless told otherwise, every key of every reference was compared with the server's. An import that was broken off goes on
 * when it is started again.
 */
public final class PeerImport {

    /** What the import cannot know by itself. */
    public record NewRepository(UUID id, byte[] salt, long createdAtMicros) {}

    /** Whether what came is held against the server once more. */
    public enum Comparison {
        /** Every key and content of every reference. Costs the server a listing of each state. */
        ALL_KEYS,
        NONE
    }

    private final ApiClient client;
    private final Store store;
    private final Path spoolFolder;

    /** @param spoolFolder where history waits in a file, some hundred bytes a commit, deleted at the end */
    public PeerImport(ApiClient client, Store store, Path spoolFolder) {
        this.client = client;
        this.store = store;
        this.spoolFolder = spoolFolder;
    }

    /**
     * Imports. Takes about 370 bytes of memory a commit, 60 more for one that an earlier attempt wrote, and 200 a content that ever was.
     *
     * @param from names the server, for whoever meets the store half full
     * @param fresh the new repository, unless an import from the same server was broken off
     * @param hashes takes a line for each commit, its hash there and its hash here with a space between them; not closed
     * @throws PeerException if the server has something that cannot be kept here, or a comparison failed; nothing is visible
     * @throws org.anabranch.api.client.ApiFailure if the server does not answer; start the import again
     * @throws org.anabranch.versioning.transfer.TransferRefusedException if the store is not empty, or another import works on it
     * @throws org.anabranch.store.StoreUnavailableException if the store does not work; start the import again
     * @throws org.anabranch.store.OutcomeUnknownException as before
     * @throws IOException if a file cannot be written
     */
    public PeerImportReport run(
            String from, NewRepository fresh, Comparison comparison, Writer hashes, TransferProgress progress)
            throws IOException {
        Optional<RepositoryRow> brokenOff = StoreLoader.brokenOff(store, from);
        PeerServer server = new PeerServer(client);
        Map<String, String> configs = server.configs();
        List<PeerReference> references = server.references();
        RepositoryRow row = brokenOff.orElseGet(() -> new RepositoryRow(
                fresh.id(),
                RepositoryRow.BEING_IMPORTED,
                fresh.salt(),
                server.defaultBranch(),
                fresh.createdAtMicros(),
                fresh.createdAtMicros(),
                Map.of(),
                1));
        try (PeerHistory history = new PeerHistory(server, spoolFolder)) {
            for (PeerReference reference : references) {
                history.read(reference.hash(), () -> progress.at(TransferStage.READING, history.size(), 0));
            }
            Loading loading = new Loading(server, StoreLoader.begin(store, row, from), hashes);
            List<Integer> heads =
                    history.visit(references.stream().map(PeerReference::hash).toList(), (entry, parents) -> {
                        int ordinal = loading.commit(entry, parents);
                        progress.at(TransferStage.IMPORTING, loading.ledger.size(), history.size());
                        return ordinal;
                    });
            hashes.flush();
            return loading.end(references, heads, history, comparison, row, configs, progress);
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /** Fills the store. */
    private static final class Loading {

        private final PeerServer server;
        private final StoreLoader loader;
        private final Writer hashes;
        private final CommitLedger ledger = new CommitLedger();
        private final ContentIds contentIds = new ContentIds();
        private long raisedTimes;
        private long oldestMicros = Long.MAX_VALUE;

        private Loading(PeerServer server, StoreLoader loader, Writer hashes) {
            this.server = server;
            this.loader = loader;
            this.hashes = hashes;
        }

        /** Takes a commit and returns its ordinal: that of an earlier one, if all that is kept of both is the same. */
        private int commit(JsonNode entry, List<Integer> parents) {
            PeerCommit commit = PeerCommit.read(entry, server.json());
            int first = parents.getFirst();
            long micros = Instants.micros(commit.createdAt());
            if (first != 0 && micros <= ledger.createdAtMicros(first)) {
                micros = ledger.createdAtMicros(first) + 1;
                raisedTimes++;
            }
            oldestMicros = Math.min(oldestMicros, micros);
            SortedMap<ContentKey, Optional<Content>> operations =
                    contentIds.apply(commit, keys -> loader.contentIds(first, keys));
            LogicalCommit logical =
                    new LogicalCommit(ledger.ids(parents), ledger.seq(first) + 1, micros, commit.meta(), operations);
            CommitId id = logical.id();
            try {
                hashes.write(commit.hash() + " " + id + "\n");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            int there = ledger.ordinal(id);
            if (there != 0) {
                return there;
            }
            ExportedCommit exported = new ExportedCommit(ledger.size() + 1, id, parents, logical);
            try {
                ledger.add(exported);
            } catch (IllegalArgumentException e) {
                throw new PeerException("Commit " + commit.hash() + " cannot be kept here: " + e.getMessage(), e);
            }
            loader.add(exported);
            return exported.ordinal();
        }

        private PeerImportReport end(
                List<PeerReference> references,
                List<Integer> heads,
                PeerHistory history,
                Comparison comparison,
                RepositoryRow row,
                Map<String, String> configs,
                TransferProgress progress) {
            loader.endCommits();
            PeerComparison compared = new PeerComparison(server, loader, contentIds);
            if (comparison == Comparison.ALL_KEYS) {
                Set<String> seen = new HashSet<>();
                for (int i = 0; i < heads.size(); i++) {
                    if (seen.add(references.get(i).hash())) {
                        compared.compare(references.get(i), heads.get(i));
                        progress.at(TransferStage.COMPARING, i + 1L, heads.size());
                    }
                }
            }
            for (int i = 0; i < heads.size(); i++) {
                PeerReference reference = references.get(i);
                loader.add(new ExportedReference(
                        reference.kind(), reference.name(), ledger.id(heads.get(i)), row.createdAtMicros(), List.of()));
                progress.at(TransferStage.REFERENCES, i + 1L, heads.size());
            }
            loader.end(Math.min(oldestMicros, row.createdAtMicros()), configs);
            return new PeerImportReport(
                    row.id(),
                    references.size(),
                    ledger.size(),
                    loader.found(),
                    raisedTimes,
                    contentIds.changed(),
                    contentIds.changes(),
                    history.missing(),
                    compared.states(),
                    compared.keys());
        }
    }
}
