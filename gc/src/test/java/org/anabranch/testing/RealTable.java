package org.anabranch.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.StreamSupport;
import org.anabranch.gc.CatalogContent;
import org.anabranch.gc.CatalogEntry;
import org.anabranch.gc.ContentPointer;
import org.anabranch.model.ContentKey;
import org.apache.iceberg.BaseMetastoreTableOperations;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.GenericBlobMetadata;
import org.apache.iceberg.GenericStatisticsFile;
import org.apache.iceberg.ImmutableGenericPartitionStatisticsFile;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SortOrder;
import org.apache.iceberg.StatisticsFile;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.avro.Avro;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.IcebergGenerics;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.data.avro.DataWriter;
import org.apache.iceberg.deletes.BaseDVFileWriter;
import org.apache.iceberg.deletes.EqualityDeleteWriter;
import org.apache.iceberg.deletes.PositionDelete;
import org.apache.iceberg.deletes.PositionDeleteWriter;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.puffin.Blob;
import org.apache.iceberg.puffin.Puffin;
import org.apache.iceberg.puffin.PuffinWriter;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;

/** An Iceberg table of one column, in real files; which metadata file is current only this object knows. */
public final class RealTable {

    public static final Schema SCHEMA = new Schema(Types.NestedField.required(1, "id", Types.IntegerType.get()));

    private final FileIO io;
    private final Operations operations;
    private final Table table;

    private RealTable(FileIO io, Operations operations) {
        this.io = io;
        this.operations = operations;
        this.table = new BaseTable(operations, operations.tableName());
    }

    /** Creates a table without a snapshot. */
    public static RealTable create(FileIO io, String location, int formatVersion, Map<String, String> properties) {
        Map<String, String> all = new HashMap<>(properties);
        all.put("format-version", Integer.toString(formatVersion));
        Operations operations = new Operations(io, null);
        operations.commit(
                null,
                TableMetadata.newTableMetadata(
                        SCHEMA, PartitionSpec.unpartitioned(), SortOrder.unsorted(), location, all));
        return new RealTable(io, operations);
    }

    /** The table as one of its metadata files describes it. */
    public static RealTable at(FileIO io, String metadata) {
        return new RealTable(io, new Operations(io, metadata));
    }

    /** The path of the current metadata file. */
    public String metadata() {
        return operations.currentMetadataLocation();
    }

    public Table table() {
        return table;
    }

    /** What a catalog holds for the table as it is now. */
    public ContentPointer pointer() {
        Snapshot current = table.currentSnapshot();
        return new ContentPointer(
                ContentPointer.Kind.ICEBERG_TABLE, metadata(), current == null ? -1 : current.snapshotId());
    }

    /** A put of the table as it is now. */
    public CatalogEntry entry(String key) {
        return new CatalogEntry(ContentKey.of(key), "id of " + key, new CatalogContent.Iceberg(pointer()));
    }

    /** Commits a data file with some rows. */
    public DataFile append(int... ids) {
        DataFile file = writeData(ids);
        table.newAppend().appendFile(file).commit();
        return file;
    }

    /** Writes a data file, which no snapshot has. */
    public DataFile writeData(int... ids) {
        return writeData(table.locationProvider().newDataLocation(UUID.randomUUID() + ".avro"), ids);
    }

    /** Writes a data file at a place of the caller's. */
    public DataFile writeData(String path, int... ids) {
        try {
            org.apache.iceberg.io.DataWriter<Record> writer = Avro.writeData(io.newOutputFile(path))
                    .schema(SCHEMA)
                    .createWriterFunc(DataWriter::create)
                    .withSpec(PartitionSpec.unpartitioned())
                    .build();
            try (writer) {
                for (int id : ids) {
                    writer.write(row(id));
                }
            }
            return writer.toDataFile();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Commits a position delete of the first row of a data file. */
    public DeleteFile deleteFirstRow(DataFile data) {
        String path = table.locationProvider().newDataLocation(UUID.randomUUID() + "-deletes.avro");
        try {
            PositionDeleteWriter<Record> writer = Avro.writeDeletes(io.newOutputFile(path))
                    .withSpec(PartitionSpec.unpartitioned())
                    .buildPositionWriter();
            try (writer) {
                writer.write(PositionDelete.<Record>create().set(data.location(), 0));
            }
            DeleteFile deletes = writer.toDeleteFile();
            table.newRowDelta().addDeletes(deletes).commit();
            return deletes;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Commits an equality delete of a row. */
    public DeleteFile deleteId(int id) {
        String path = table.locationProvider().newDataLocation(UUID.randomUUID() + "-equality.avro");
        try {
            EqualityDeleteWriter<Record> writer = Avro.writeDeletes(io.newOutputFile(path))
                    .createWriterFunc(DataWriter::create)
                    .rowSchema(SCHEMA)
                    .withSpec(PartitionSpec.unpartitioned())
                    .equalityFieldIds(1)
                    .buildEqualityWriter();
            try (writer) {
                writer.write(row(id));
            }
            DeleteFile deletes = writer.toDeleteFile();
            table.newRowDelta().addDeletes(deletes).commit();
            return deletes;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Commits a deletion vector for the first row of a data file; the table is of version 3. */
    public DeleteFile deleteFirstRowByVector(DataFile data) {
        String path = table.locationProvider().newDataLocation(UUID.randomUUID() + "-dv.puffin");
        BaseDVFileWriter writer = new BaseDVFileWriter(() -> io.newOutputFile(path), file -> null);
        try (writer) {
            writer.delete(data.location(), 0, PartitionSpec.unpartitioned(), null);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        DeleteFile vector = writer.result().deleteFiles().get(0);
        table.newRowDelta().addDeletes(vector).commit();
        return vector;
    }

    /** Commits statistics of the current snapshot; gives their file's path. */
    public String addStatistics() {
        Snapshot current = table.currentSnapshot();
        String path = operations.metadataFileLocation(UUID.randomUUID() + ".stats");
        try (PuffinWriter writer = Puffin.write(io.newOutputFile(path)).build()) {
            writer.add(new Blob(
                    "anabranch-test",
                    List.of(1),
                    current.snapshotId(),
                    current.sequenceNumber(),
                    ByteBuffer.wrap(new byte[] {1})));
            writer.finish();
            StatisticsFile file = new GenericStatisticsFile(
                    current.snapshotId(),
                    path,
                    writer.fileSize(),
                    writer.footerSize(),
                    writer.writtenBlobsMetadata().stream()
                            .map(GenericBlobMetadata::from)
                            .toList());
            table.updateStatistics().setStatistics(file).commit();
            return path;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Commits partition statistics of the current snapshot, whose content nobody reads; gives their file's path. */
    public String addPartitionStatistics() {
        String path = operations.metadataFileLocation(UUID.randomUUID() + "-partitions.avro");
        write(path, "any");
        table.updatePartitionStatistics()
                .setPartitionStatistics(ImmutableGenericPartitionStatisticsFile.builder()
                        .snapshotId(table.currentSnapshot().snapshotId())
                        .path(path)
                        .fileSizeInBytes(3)
                        .build())
                .commit();
        return path;
    }

    /** Writes a file that is none of Iceberg's. */
    public void write(String path, String text) {
        write(io, path, text);
    }

    /** Writes a file that is none of Iceberg's. */
    public static void write(FileIO io, String path, String text) {
        try (var out = io.newOutputFile(path).createOrOverwrite()) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The ids that a reader of the current snapshot sees, in order. */
    public List<Integer> ids() {
        table.refresh();
        try (CloseableIterable<Record> records = IcebergGenerics.read(table).build()) {
            return StreamSupport.stream(records.spliterator(), false)
                    .map(row -> (Integer) row.getField("id"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Record row(int id) {
        Record row = GenericRecord.create(SCHEMA);
        row.setField("id", id);
        return row;
    }

    private static final class Operations extends BaseMetastoreTableOperations {

        private final FileIO io;
        private @Nullable String current;

        Operations(FileIO io, @Nullable String current) {
            this.io = io;
            this.current = current;
        }

        @Override
        protected String tableName() {
            return "table";
        }

        @Override
        public FileIO io() {
            return io;
        }

        @Override
        protected void doRefresh() {
            refreshFromMetadataLocation(current, 0);
        }

        @Override
        protected void doCommit(@Nullable TableMetadata base, TableMetadata metadata) {
            current = writeNewMetadataIfRequired(base == null, metadata);
        }
    }
}
