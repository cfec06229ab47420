package org.anabranch.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.anabranch.bench.report.Figure;
import org.anabranch.bench.report.Results;
import org.anabranch.bench.server.Product;
import org.anabranch.bench.server.ServerProcess;
import org.anabranch.bench.store.Engine;
import org.anabranch.bench.store.Folders;
import org.anabranch.bench.store.Postgres;
import org.anabranch.bench.store.Storage;
import org.anabranch.bench.workload.Catalog;
import org.anabranch.bench.workload.Loader;
import org.anabranch.bench.workload.Target;
import org.jspecify.annotations.Nullable;

/**
 * The catalogs that are measured: each is loaded once and kept, rows work on copies. What loading it took and how large
 * it became is kept beside it and told to the results.
 */
final class Stores {

    private static final ObjectMapper JSON = new ObjectMapper();

    private final Path work;
    private final Jars jars;
    private final @Nullable Postgres postgres;
    private final List<String> heap;
    private final int historyCommits;

    /** @param postgres absent if no engine needs it */
    Stores(Path work, Jars jars, @Nullable Postgres postgres, List<String> heap, int historyCommits) {
        this.work = work;
        this.jars = jars;
        this.postgres = postgres;
        this.heap = heap;
        this.historyCommits = historyCommits;
    }

    private record Prepared(double loadSeconds, long loadBytes, double bytesPerCommit) {}

    /**
     * A copy of a prepared catalog, which nobody else uses; for the engine that keeps it in memory, an empty storage.
     * Prepares the catalog if that was not done yet; for the service with rules, that without them must have done so.
     */
    Storage copyOf(Product product, Engine engine, int tables, Results results) {
        if (engine == Engine.MEMORY) {
            return new Storage.InMemory();
        }
        if (product == Product.RULED) {
            return copy(preparedStorage(Product.ANABRANCH, engine, tables), storage(engine, "run_" + product));
        }
        Prepared prepared = prepared(product, engine, tables);
        add(results, product, engine, tables, Figure.LOAD_SECONDS, prepared.loadSeconds());
        add(results, product, engine, tables, Figure.LOAD_MEGABYTES, prepared.loadBytes() / 1e6);
        add(results, product, engine, tables, Figure.COMMIT_KILOBYTES, prepared.bytesPerCommit() / 1e3);
        return copy(preparedStorage(product, engine, tables), storage(engine, "run_" + product));
    }

    private Storage copy(Storage source, Storage copy) {
        discard(copy);
        switch (source) {
            case Storage.Folder folder -> Folders.copy(folder.path(), ((Storage.Folder) copy).path());
            case Storage.Database database -> postgres.copy(database.name(), ((Storage.Database) copy).name());
            case Storage.InMemory memory -> throw new IllegalStateException("memory cannot be copied");
        }
        return copy;
    }

    /** Deletes a storage, if it is there. */
    void discard(Storage storage) {
        switch (storage) {
            case Storage.Folder folder -> Folders.delete(folder.path());
            case Storage.Database database -> postgres.drop(database.name());
            case Storage.InMemory memory -> {}
        }
    }

    private static void add(Results results, Product product, Engine engine, int tables, String name, double value) {
        results.add(new Figure(engine.toString(), tables, name, product.toString(), value));
    }

    private Prepared prepared(Product product, Engine engine, int tables) {
        Path note = work.resolve("prepared").resolve(preparedName(product, engine, tables) + ".json");
        try {
            if (Files.exists(note)) {
                return JSON.readValue(note.toFile(), Prepared.class);
            }
            Files.createDirectories(note.getParent());
            Prepared prepared = prepare(product, engine, tables);
            JSON.writeValue(note.toFile(), prepared);
            return prepared;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Prepared prepare(Product product, Engine engine, int tables) throws IOException {
        Storage storage = preparedStorage(product, engine, tables);
        discard(storage);
        if (storage instanceof Storage.Database database) {
            postgres.create(database.name());
        }
        long emptyBytes = bytes(product, storage);
        Catalog catalog = new Catalog(tables);
        double seconds;
        try (ServerProcess server = start(product, storage)) {
            seconds = Loader.load(Target.empty(product, server.port(), catalog));
        }
        long loadedBytes = bytes(product, storage);
        try (ServerProcess server = start(product, storage)) {
            Loader.update(Target.holding(product, server.port(), catalog), historyCommits);
        }
        long bytes = bytes(product, storage);
        return new Prepared(seconds, loadedBytes - emptyBytes, (double) (bytes - loadedBytes) / historyCommits);
    }

    private ServerProcess start(Product product, Storage storage) {
        return ServerProcess.start(
                product, jars.of(product), storage, heap, work.resolve("logs/prepare-" + product + ".log"));
    }

    /** Of a storage that no server uses at the moment, after it was compacted or vacuumed. */
    private long bytes(Product product, Storage storage) {
        return switch (storage) {
            case Storage.InMemory memory -> 0;
            case Storage.Database database -> postgres.vacuumedBytes(database.name());
            case Storage.Folder folder -> {
                if (product == Product.NESSIE && Files.exists(folder.path())) {
                    compactRocksDb(folder.path());
                }
                yield Folders.bytes(folder.path());
            }
        };
    }

    /** With the RocksDB that the peer's own jar has in it. */
    private void compactRocksDb(Path folder) {
        try (InputStream source = Stores.class.getResourceAsStream("/CompactRocksDb.java")) {
            Path program = work.resolve("CompactRocksDb.java");
            Files.copy(source, program, StandardCopyOption.REPLACE_EXISTING);
            Process process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "--enable-native-access=ALL-UNNAMED",
                            "-cp",
                            jars.of(Product.NESSIE).toString(),
                            program.toString(),
                            folder.toString())
                    .redirectErrorStream(true)
                    .redirectOutput(work.resolve("logs/compact.log").toFile())
                    .start();
            if (process.waitFor() != 0) {
                throw new IllegalStateException(
                        "the peer's folder could not be compacted: " + work.resolve("logs/compact.log"));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while compacting", e);
        }
    }

    private Storage preparedStorage(Product product, Engine engine, int tables) {
        return storage(engine, "prepared_" + preparedName(product, engine, tables));
    }

    /** Our own changes with every build; the peer's does not. */
    private String preparedName(Product product, Engine engine, int tables) {
        String build = product == Product.ANABRANCH ? "_" + jars.serviceDigest() : "";
        return product + build + "_" + engine + "_" + tables + "_" + historyCommits;
    }

    private Storage storage(Engine engine, String name) {
        return switch (engine) {
            case MEMORY -> new Storage.InMemory();
            case EMBEDDED -> new Storage.Folder(work.resolve("folders").resolve(name));
            case POSTGRESQL -> postgres.database(name);
        };
    }
}
