package org.anabranch.versioning.refs;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.anabranch.model.ReferenceKind;
import org.anabranch.model.ReferenceName;
import org.anabranch.model.RefusedException;
import org.anabranch.model.RepositoryDescription;
import org.anabranch.store.Change;
import org.anabranch.store.Head;
import org.anabranch.store.Instants;
import org.anabranch.store.OutcomeUnknownException;
import org.anabranch.store.ReferenceRow;
import org.anabranch.store.RepositoryRow;
import org.anabranch.store.Store;
import org.anabranch.store.WriteOutcome;

/** The repository as a whole: what it is, and the configuration objects that clients keep in it. Safe from many threads. */
public final class Repository {

    /** Version of everything stored, as {@code docs/formats.md} describes it. */
    public static final int FORMAT_VERSION = 1;

    /** In the configurations of a record while the repository is being imported: says from where. No type is called so. */
    public static final String IMPORTED_FROM = "imported from";

    private final Store store;
    private final RepositoryRow row;

    private Repository(Store store, RepositoryRow row) {
        this.store = store;
        this.row = row;
    }

    /**
     * Opens the repository in a store, and creates what is missing of it: the record, and an empty default branch. Idempotent;
     * of several processes that open an empty store at once, all get the record that one of them wrote.
     *
     * @param fresh the record of a new repository; without effect on an existing one
     * @throws IllegalArgumentException if the default branch of {@code fresh} cannot have its name
     * @throws IllegalStateException if the repository is of another format version, or is being imported
     */
    public static Repository open(Store store, RepositoryRow fresh) {
        new ReferenceName(fresh.defaultBranch());
        RepositoryRow row = store.repository().orElseGet(() -> create(store, fresh));
        requireServable(row);
        if (store.reference(row.defaultBranch()).isEmpty()) {
            ReferenceRow branch = new ReferenceRow(
                    row.defaultBranch(),
                    ReferenceKind.BRANCH,
                    Head.NO_ANCESTOR,
                    store.numbers(1),
                    1,
                    fresh.createdAtMicros(),
                    List.of());
            // Whether this write or another process's made the branch is all the same.
            store.write(List.of(), List.of(), new Change.OfReference(branch.name(), null, branch), List.of());
        }
        return new Repository(store, row);
    }

    /**
     * The record of a repository that can be read.
     *
     * @throws IllegalStateException if the repository is of another format version, or is being imported and not all there yet
     */
    public static RepositoryRow requireServable(RepositoryRow row) {
        if (row.isBeingImported()) {
            throw new IllegalStateException("The repository is being imported, from "
                    + row.configs().getOrDefault(IMPORTED_FROM, "an unknown place")
                    + ", and serves nothing until all of it is there: wait for the end of the import; if it was broken"
                    + " off, start it again with the same source, or clear the store");
        }
        if (row.formatVersion() != FORMAT_VERSION) {
            throw new IllegalStateException("The repository has format version " + row.formatVersion()
                    + ", and this program reads version " + FORMAT_VERSION + " only");
        }
        return row;
    }

    private static RepositoryRow create(Store store, RepositoryRow fresh) {
        WriteOutcome outcome = store.write(List.of(), List.of(), new Change.OfRepository(null, fresh), List.of());
        return outcome instanceof WriteOutcome.Written
                ? fresh
                : store.repository().orElseThrow(() -> new IllegalStateException("The store has no repository record"));
    }

    /** The name that {@code -} stands for; never changes. */
    public String defaultBranch() {
        return row.defaultBranch();
    }

    /** 16 bytes that key the shape of the key index; never change. */
    public byte[] salt() {
        return row.salt().clone();
    }

    public RepositoryDescription describe() {
        return new RepositoryDescription(
                row.defaultBranch(),
                Instants.ofMicros(row.createdAtMicros()),
                Instants.ofMicros(row.oldestCommitAtMicros()));
    }

    /** The configuration objects as JSON, by type. Costs one store trip. */
    public Map<String, String> configs() {
        return current().configs();
    }

    /**
     * Stores a configuration object in place of that of its type. Costs two store trips.
     *
     * @return the replaced object
     * @throws RefusedException 409 if the record was changed meanwhile
     * @throws OutcomeUnknownException it may have happened, and may still happen
     */
    public Optional<String> replaceConfig(String type, String json) {
        RepositoryRow seen = current();
        Map<String, String> configs = new TreeMap<>(seen.configs());
        Optional<String> previous = Optional.ofNullable(configs.put(type, json));
        RepositoryRow next = seen.next(seen.formatVersion(), seen.oldestCommitAtMicros(), configs);
        WriteOutcome outcome;
        try {
            outcome = store.write(List.of(), List.of(), new Change.OfRepository(seen, next), List.of());
        } catch (OutcomeUnknownException unknown) {
            RepositoryRow now = current();
            if (now.version() == next.version() && now.configs().equals(configs)) {
                return previous;
            }
            throw unknown;
        }
        if (!(outcome instanceof WriteOutcome.Written)) {
            throw RefusedException.conflict(
                    "The configuration of type '" + type + "' was changed by someone else at the same time: read it and"
                            + " try again",
                    List.of());
        }
        return previous;
    }

    private RepositoryRow current() {
        return store.repository().orElseThrow(() -> new IllegalStateException("The repository record is gone"));
    }
}
