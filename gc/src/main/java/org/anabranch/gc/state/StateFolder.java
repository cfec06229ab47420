package org.anabranch.gc.state;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The collector's memory in one folder: the commits that it has read, its latest run with what that found live, and since when
 * files are unreferenced.
 *
 * <p>May be deleted between runs: the next one reads the whole log again, and every grace period starts anew. Held by one process
 * until it is closed. Safe from many threads.
 */
public final class StateFolder implements AutoCloseable {

    private static final String FILE = "gc.db";

    /** Statements that create all tables and indexes, as docs/gc-state.md describes them. */
    static final List<String> TABLES = Stream.of(
                    Runs.TABLES,
                    CommitLog.TABLES,
                    LiveSet.TABLES,
                    LiveFiles.TABLES,
                    KnownLocations.TABLES,
                    Untouchables.TABLES,
                    UnreferencedFiles.TABLES)
            .flatMap(List::stream)
            .toList();

    private final Path folder;
    private final FolderLock lock;
    private final Database database;

    private StateFolder(Path folder, FolderLock lock, Database database) {
        this.folder = folder;
        this.lock = lock;
        this.database = database;
    }

    /**
     * Opens the folder, or creates it.
     *
     * @param repository of {@link org.anabranch.gc.CatalogSource#repository}; the folder keeps to the first it was opened for
     * @throws UnusableStateException if another process holds it, it is of another repository or version, or cannot be written
     */
    public static StateFolder open(Path folder, String repository) {
        return requireRepository(open(folder), repository);
    }

    private static StateFolder requireRepository(StateFolder state, String repository) {
        try {
            state.runs().requireRepository(repository, state.folder);
            return state;
        } catch (RuntimeException e) {
            state.close();
            throw e;
        }
    }

    /**
     * As {@link #open}, of a folder that exists: for what goes on with a run.
     *
     * @throws UnusableStateException as above, and if there is no such folder
     */
    public static StateFolder openExisting(Path folder, String repository) {
        return requireRepository(openExisting(folder), repository);
    }

    /**
     * Opens a folder that exists, to look something up.
     *
     * @throws UnusableStateException as above, and if there is no such folder
     */
    public static StateFolder openExisting(Path folder) {
        if (!Files.exists(folder.resolve(FILE))) {
            throw new UnusableStateException(
                    "There is no state in " + folder
                            + ": give the folder of earlier runs with --state, or begin with 'gc run' or"
                            + " 'gc mark'.",
                    null);
        }
        return open(folder);
    }

    private static StateFolder open(Path folder) {
        try {
            Files.createDirectories(folder);
            FolderLock lock = FolderLock.take(folder);
            try {
                Database database = Database.open(folder.resolve(FILE), TABLES);
                return new StateFolder(folder, lock, database);
            } catch (RuntimeException e) {
                lock.close();
                throw e;
            }
        } catch (IOException e) {
            throw new UnusableStateException(
                    "The state folder " + folder + " cannot be used: " + e.getMessage()
                            + ". Give another one with --state.",
                    e);
        }
    }

    /** Where the memory is. */
    public Path folder() {
        return folder;
    }

    public Runs runs() {
        return new Runs(database);
    }

    public CommitLog commitLog() {
        return new CommitLog(database);
    }

    public LiveSet liveSet() {
        return new LiveSet(database);
    }

    public LiveFiles liveFiles() {
        return new LiveFiles(database);
    }

    public KnownLocations knownLocations() {
        return new KnownLocations(database);
    }

    public Untouchables untouchables() {
        return new Untouchables(database);
    }

    public UnreferencedFiles unreferencedFiles() {
        return new UnreferencedFiles(database);
    }

    @Override
    public void close() {
        try (lock) {
            database.close();
        } catch (IOException e) {
            throw new UnusableStateException("The lock of the state folder cannot be let go: " + e.getMessage(), e);
        }
    }
}
