package org.anabranch.gc.sweep;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.anabranch.gc.storage.LocalFileIO;
import org.anabranch.model.CommitId;
import org.anabranch.testing.CatalogInMemory;
import org.anabranch.testing.RealTable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A local lake in a folder of its own, with a catalog in memory. */
abstract class LocalLakeFixture {

    @TempDir
    Path folder;

    Path warehouse;
    CatalogInMemory catalog;
    CollectedLake lake;

    @BeforeEach
    void open() throws IOException {
        // The temporary folder itself may lie behind a link.
        folder = folder.toRealPath();
        warehouse = Files.createDirectory(folder.resolve("wh"));
        catalog = new CatalogInMemory();
        lake = new CollectedLake(folder.resolve("state"), catalog, new LocalFileIO(), warehouse.toString());
    }

    @AfterEach
    void close() {
        lake.close();
    }

    RealTable table(String path) {
        return RealTable.create(lake.io(), warehouse + "/" + path, 2, Map.of());
    }

    /** Puts a table on a new line that a branch of this name is at the end of. */
    CommitId branch(String name, RealTable table) {
        CommitId commit = catalog.commit(CommitId.NO_ANCESTOR, List.of(table.entry(name)));
        catalog.branch(name, commit);
        return commit;
    }

    Path orphan(String path) throws IOException {
        Path file = warehouse.resolve(path);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, "orphan");
    }

    static List<Path> files(Path below) {
        try (Stream<Path> files = Files.walk(below)) {
            return files.filter(Files::isRegularFile).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
