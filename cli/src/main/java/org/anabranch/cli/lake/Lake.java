package org.anabranch.cli.lake;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.LongStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.CatalogProperties;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.GenericFileWriterFactory;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.IcebergGenerics;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.encryption.EncryptionUtil;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.io.DataWriter;
import org.apache.iceberg.io.OutputFile;
import org.apache.iceberg.nessie.NessieCatalog;
import org.apache.iceberg.types.Types;

/**
 * A warehouse in a local folder, seen through Iceberg's Nessie catalog: tables of numbered rows whose data are
 * real Parquet files.
 */
public final class Lake {

    /** The schema of every table here: a number, and a name made from it. */
    public static final Schema ROWS = new Schema(
            Types.NestedField.required(1, "id", Types.LongType.get()),
            Types.NestedField.optional(2, "name", Types.StringType.get()));

    private final URI api;
    private final Path warehouse;

    /**
     * Describes a warehouse; touches neither the service nor the folder.
     *
     * @param api base of the catalog's API, such as {@code http://127.0.0.1:19120/api/v2}
     * @param warehouse folder of the tables' files, created when the first table is
     */
    public Lake(URI api, Path warehouse) {
        this.api = api;
        this.warehouse = warehouse;
    }

    /**
     * Opens the catalog at the head of a branch or tag; the caller closes it.
     *
     * <p>Without Iceberg's table cache, so every load asks the service.
     */
    public NessieCatalog at(String reference) {
        return open(Map.of("ref", reference));
    }

    /** Opens the catalog at one commit, for reading; the caller closes it. */
    public NessieCatalog at(String reference, String hash) {
        return open(Map.of("ref", reference, "ref.hash", hash));
    }

    private NessieCatalog open(Map<String, String> where) {
        Map<String, String> options = new HashMap<>(where);
        options.put(CatalogProperties.URI, api.toString());
        options.put(CatalogProperties.WAREHOUSE_LOCATION, warehouse.toUri().toString());
        options.put(CatalogProperties.CACHE_ENABLED, "false");
        NessieCatalog catalog = new NessieCatalog();
        catalog.setConf(new Configuration(false));
        catalog.initialize("anabranch", options);
        return catalog;
    }

    /**
     * Appends rows to a table as one Parquet file and one Iceberg commit.
     *
     * @param ids numbers of the rows, in the order of the file
     */
    public static void append(Table table, long... ids) {
        table.newAppend().appendFile(writeParquet(table, ids)).commit();
    }

    /** Writes rows as a Parquet file of a table, without telling the table. */
    public static DataFile writeParquet(Table table, long... ids) {
        OutputFile file = table.io()
                .newOutputFile(table.locationProvider().newDataLocation("rows-" + UUID.randomUUID() + ".parquet"));
        DataWriter<Record> writer = new GenericFileWriterFactory.Builder(table)
                .dataFileFormat(FileFormat.PARQUET)
                .dataSchema(ROWS)
                .build()
                .newDataWriter(EncryptionUtil.plainAsEncryptedOutput(file), table.spec(), null);
        try (writer) {
            GenericRecord row = GenericRecord.create(ROWS);
            LongStream.of(ids)
                    .mapToObj(id -> row.copy(Map.of("id", id, "name", "row " + id)))
                    .forEach(writer::write);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return writer.toDataFile();
    }

    /** Reads the numbers of all rows of a table's current snapshot from its Parquet files, sorted. */
    public static List<Long> ids(Table table) {
        List<Long> ids = new ArrayList<>();
        try (CloseableIterable<Record> rows = IcebergGenerics.read(table).build()) {
            rows.forEach(row -> ids.add((Long) row.getField("id")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        ids.sort(null);
        return List.copyOf(ids);
    }
}
