package org.anabranch.cli.gc.laws;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.anabranch.cli.lake.Lake;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.GenericFileWriterFactory;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.deletes.BaseDVFileWriter;
import org.apache.iceberg.deletes.EqualityDeleteWriter;
import org.apache.iceberg.deletes.PositionDelete;
import org.apache.iceberg.deletes.PositionDeleteWriter;
import org.apache.iceberg.encryption.EncryptedOutputFile;
import org.apache.iceberg.encryption.EncryptionUtil;
import org.apache.iceberg.io.DataWriter;
import org.apache.iceberg.io.OutputFileFactory;
import org.apache.iceberg.types.Types;

/** Writes real data and delete files of tables of numbered rows, and remembers which rows each data file has. */
final class RowFiles {

    private static final int PARQUET_EVERY = 4;

    private final Random random;
    private final Map<String, List<Long>> rowsByFile = new HashMap<>();

    RowFiles(Random random) {
        this.random = random;
    }

    /** The rows of a data file that was written here, in the order of the file. */
    List<Long> rows(String location) {
        return rowsByFile.get(location);
    }

    /** Writes rows as one data file, without telling the table: mostly Avro, which is quick, sometimes Parquet. */
    DataFile write(Table table, Collection<Long> rows) {
        FileFormat format = random.nextInt(PARQUET_EVERY) == 0 ? FileFormat.PARQUET : FileFormat.AVRO;
        DataWriter<Record> writer = new GenericFileWriterFactory.Builder(table)
                .dataFileFormat(format)
                .dataSchema(table.schema())
                .build()
                .newDataWriter(newFile(table, "rows", format), table.spec(), null);
        try (writer) {
            for (long row : rows) {
                GenericRecord record = GenericRecord.create(table.schema());
                record.setField("id", row);
                record.setField("name", "row " + row);
                writer.write(record);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        DataFile file = writer.toDataFile();
        rowsByFile.put(file.location(), List.copyOf(rows));
        return file;
    }

    /** Writes a file that deletes rows of data files by their positions. */
    DeleteFile writePositionDeletes(Table table, DataFile dataFile, Collection<Long> rows) {
        PositionDeleteWriter<Record> writer = new GenericFileWriterFactory.Builder(table)
                .deleteFileFormat(FileFormat.AVRO)
                .build()
                .newPositionDeleteWriter(newFile(table, "positions", FileFormat.AVRO), table.spec(), null);
        try (writer) {
            for (long row : rows) {
                writer.write(
                        PositionDelete.<Record>create().set(dataFile.location(), position(dataFile.location(), row)));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return writer.toDeleteFile();
    }

    /** Writes one Puffin file with a deletion vector for each data file; they must have none yet. */
    List<DeleteFile> writeDeletionVectors(Table table, Map<DataFile, ? extends Collection<Long>> rowsByDataFile) {
        OutputFileFactory files = OutputFileFactory.builderFor(table, 1, 1)
                .format(FileFormat.PUFFIN)
                .operationId(UUID.randomUUID().toString())
                .build();
        BaseDVFileWriter writer = new BaseDVFileWriter(files, dataFile -> null);
        try (writer) {
            rowsByDataFile.forEach((dataFile, rows) -> rows.forEach(row -> writer.delete(
                    dataFile.location(), position(dataFile.location(), row), table.spec(), dataFile.partition())));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return writer.result().deleteFiles();
    }

    /** Writes a file that deletes rows by their number, whichever data file has them. */
    DeleteFile writeEqualityDeletes(Table table, Collection<Long> rows) {
        EqualityDeleteWriter<Record> writer = new GenericFileWriterFactory.Builder(table)
                .deleteFileFormat(FileFormat.AVRO)
                .equalityFieldIds(new int[] {Lake.ROWS.findField("id").fieldId()})
                .equalityDeleteRowSchema(Lake.ROWS.select("id"))
                .build()
                .newEqualityDeleteWriter(newFile(table, "numbers", FileFormat.AVRO), table.spec(), null);
        try (writer) {
            for (long row : rows) {
                GenericRecord record = GenericRecord.create(
                        Types.StructType.of(Lake.ROWS.select("id").columns()));
                record.setField("id", row);
                writer.write(record);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return writer.toDeleteFile();
    }

    private int position(String dataFile, long row) {
        return rowsByFile.get(dataFile).indexOf(row);
    }

    private static EncryptedOutputFile newFile(Table table, String kind, FileFormat format) {
        String name = format.addExtension(kind + "-" + UUID.randomUUID());
        return EncryptionUtil.plainAsEncryptedOutput(
                table.io().newOutputFile(table.locationProvider().newDataLocation(name)));
    }
}
