package org.anabranch.gc.scale;

import java.util.Map;
import java.util.function.IntFunction;
import org.apache.iceberg.AppendFiles;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableMetadataParser;
import org.apache.iceberg.TableOperations;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.LocationProvider;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;

/** Writes the metadata, manifest lists and manifests of tables whose data files are names. */
final class TableWriter {

    private static final int SNAPSHOTS = 4;
    private static final long BYTES_PER_FILE = 128L << 20;
    private static final Schema SCHEMA = new Schema(Types.NestedField.required(1, "id", Types.LongType.get()));

    private TableWriter() {}

    /**
     * Writes a table whose snapshots add equal parts of its files.
     *
     * @param files paths of the data files, by numbers from 0 on
     * @return where its last metadata file is
     */
    static String write(FileIO io, String location, int count, IntFunction<String> files) {
        Operations operations = new Operations(io, location);
        operations.commit(
                null,
                TableMetadata.newTableMetadata(
                        SCHEMA, PartitionSpec.unpartitioned(), location, Map.of("format-version", "2")));
        Table table = new BaseTable(operations, location);
        int from = 0;
        for (int snapshot = 1; snapshot <= SNAPSHOTS; snapshot++) {
            int to = (int) ((long) count * snapshot / SNAPSHOTS);
            AppendFiles append = table.newFastAppend();
            for (int file = from; file < to; file++) {
                append.appendFile(DataFiles.builder(PartitionSpec.unpartitioned())
                        .withPath(files.apply(file))
                        .withFormat(FileFormat.PARQUET)
                        .withFileSizeInBytes(BYTES_PER_FILE)
                        .withRecordCount(1000)
                        .build());
            }
            append.commit();
            from = to;
        }
        return operations.current().metadataFileLocation();
    }

    /** A table's metadata as files with ever higher numbers. */
    private static final class Operations implements TableOperations {

        private final FileIO io;
        private final String location;
        private @Nullable TableMetadata current;
        private int version;

        private Operations(FileIO io, String location) {
            this.io = io;
            this.location = location;
        }

        @Override
        public @Nullable TableMetadata current() {
            return current;
        }

        @Override
        public @Nullable TableMetadata refresh() {
            return current;
        }

        @Override
        public FileIO io() {
            return io;
        }

        @Override
        public void commit(@Nullable TableMetadata base, TableMetadata metadata) {
            String path = metadataFileLocation("v" + version++ + ".metadata.json");
            TableMetadataParser.write(metadata, io.newOutputFile(path));
            current = TableMetadataParser.read(io, path);
        }

        @Override
        public String metadataFileLocation(String fileName) {
            return location + "/metadata/" + fileName;
        }

        @Override
        public LocationProvider locationProvider() {
            throw new UnsupportedOperationException("Data files are named elsewhere");
        }
    }
}
