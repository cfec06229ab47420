package org.anabranch.gc.scale;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.iceberg.io.DelegateFileIO;
import org.apache.iceberg.io.FileInfo;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.OutputFile;
import org.apache.iceberg.io.PositionOutputStream;
import org.apache.iceberg.io.SeekableInputStream;

/**
 * A lake of any size on a small disk: the metadata files, manifest lists and manifests of its tables are real; their data files, and the
 * orphans beside them, are names that are made when they are listed.
 *
 * <p>In each table, the files numbered from 0 on are named by its manifests, and those behind them are orphans.
 */
final class GeneratedLake implements DelegateFileIO {

    /** What all locations begin with. */
    static final String WAREHOUSE = "generated://lake/warehouse";

    private static final long serialVersionUID = 1;

    private static final long FILE_BYTES = 128L << 20;

    private final transient Path disk;
    private final int tables;
    private final int livePerTable;
    private final int orphansPerTable;
    private final long modifiedAtMillis;
    private final BitSet[] deleted;

    /**
     * Describes a lake.
     *
     * @param disk folder of what is real
     * @param modifiedAtMillis time of all files that are not real
     */
    GeneratedLake(Path disk, int tables, int livePerTable, int orphansPerTable, long modifiedAtMillis) {
        this.disk = disk;
        this.tables = tables;
        this.livePerTable = livePerTable;
        this.orphansPerTable = orphansPerTable;
        this.modifiedAtMillis = modifiedAtMillis;
        this.deleted =
                IntStream.range(0, tables).mapToObj(table -> new BitSet()).toArray(BitSet[]::new);
    }

    /** Writes one table's metadata with all its snapshots and manifests; returns where the last metadata file is. */
    String writeTable(int number) {
        return TableWriter.write(this, location(number), livePerTable, file -> data(number, file));
    }

    /** Where a table lies. */
    static String location(int table) {
        return WAREHOUSE + "/shop/table" + table;
    }

    /** How many orphans have been deleted. */
    int deletedOrphans() {
        return Stream.of(deleted)
                .mapToInt(files ->
                        files.cardinality() - files.get(0, livePerTable).cardinality())
                .sum();
    }

    /** How many files that some table needs have been deleted. */
    int deletedLiveFiles() {
        return Stream.of(deleted)
                .mapToInt(files -> files.get(0, livePerTable).cardinality())
                .sum();
    }

    @Override
    public Iterable<FileInfo> listPrefix(String prefix) {
        if (prefix.endsWith(".parquet")) {
            int[] file = numbers(prefix);
            return deleted[file[0]].get(file[1])
                    ? List.of()
                    : List.of(new FileInfo(prefix, FILE_BYTES, modifiedAtMillis));
        }
        Stream<FileInfo> names = IntStream.range(0, tables)
                .filter(table -> location(table).startsWith(prefix) || prefix.startsWith(location(table) + "/"))
                .boxed()
                .flatMap(this::names);
        Stream<FileInfo> all =
                Stream.concat(names, real()).filter(file -> file.location().startsWith(prefix));
        return all::iterator;
    }

    private Stream<FileInfo> names(int table) {
        return IntStream.range(0, livePerTable + orphansPerTable)
                .filter(file -> !deleted[table].get(file))
                .mapToObj(file -> new FileInfo(data(table, file), FILE_BYTES, modifiedAtMillis));
    }

    private Stream<FileInfo> real() {
        try (Stream<Path> paths = Files.walk(disk)) {
            List<Path> files = paths.filter(Files::isRegularFile).toList();
            return files.stream()
                    .map(file -> new FileInfo(
                            WAREHOUSE + "/" + disk.relativize(file),
                            file.toFile().length(),
                            modifiedAtMillis));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public synchronized void deleteFiles(Iterable<String> paths) {
        paths.forEach(this::deleteFile);
    }

    @Override
    public synchronized void deleteFile(String path) {
        int[] file = numbers(path);
        deleted[file[0]].set(file[1]);
    }

    /** The numbers of a data file's table and of the file in it. */
    private static int[] numbers(String path) {
        String[] parts = path.substring(WAREHOUSE.length()).split("/table|/data/|-|\\.parquet");
        if (parts.length != 4) {
            throw new IllegalArgumentException("This is no file whose name is made: " + path);
        }
        return new int[] {Integer.parseInt(parts[1]), Integer.parseInt(parts[3])};
    }

    @Override
    public void deletePrefix(String prefix) {
        throw new UnsupportedOperationException("Nobody may delete all of " + prefix);
    }

    @Override
    public InputFile newInputFile(String path) {
        return new NamedInput(org.apache.iceberg.Files.localInput(onDisk(path).toFile()), path);
    }

    @Override
    public OutputFile newOutputFile(String path) {
        return new NamedOutput(org.apache.iceberg.Files.localOutput(onDisk(path).toFile()), path);
    }

    private Path onDisk(String path) {
        return disk.resolve(path.substring(WAREHOUSE.length() + 1));
    }

    /** Names as writers make them: long, and in no order. */
    private static String data(int table, int file) {
        return "%s/data/%08x%08x-%d.parquet"
                .formatted(location(table), file * 0x9E3779B1, (table + 1) * (file + 7) * 0x85EBCA6B, file);
    }

    private record NamedOutput(OutputFile file, String location) implements OutputFile {

        @Override
        public PositionOutputStream create() {
            return file.create();
        }

        @Override
        public PositionOutputStream createOrOverwrite() {
            return file.createOrOverwrite();
        }

        @Override
        public InputFile toInputFile() {
            return new NamedInput(file.toInputFile(), location);
        }
    }

    private record NamedInput(InputFile file, String location) implements InputFile {

        @Override
        public long getLength() {
            return file.getLength();
        }

        @Override
        public SeekableInputStream newStream() {
            return file.newStream();
        }

        @Override
        public boolean exists() {
            return file.exists();
        }
    }
}
