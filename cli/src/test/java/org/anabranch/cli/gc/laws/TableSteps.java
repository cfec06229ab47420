package org.anabranch.cli.gc.laws;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.anabranch.cli.lake.Lake;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableMetadataParser;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.AlreadyExistsException;
import org.apache.iceberg.exceptions.NoSuchTableException;
import org.apache.iceberg.nessie.NessieCatalog;
import org.projectnessie.error.BaseNessieClientServerException;
import org.projectnessie.model.Content;
import org.projectnessie.model.ContentKey;
import org.projectnessie.model.EntriesResponse.Entry;
import org.projectnessie.model.IcebergTable;
import org.projectnessie.model.Reference.ReferenceType;

/** Random steps on tables and views of one branch. Each returns what it did, for people. */
final class TableSteps {

    static final Namespace SHOP = Namespace.of("shop");

    private static final int NAMES = 6;

    private final LakeClient lake;
    private final Random random;
    private final Revival revival;
    private final TableChanges changes;
    private final TableLocations locations;
    private final List<IcebergTable> versions = new ArrayList<>();
    private final List<Unfinished> unfinished = new ArrayList<>();

    /** A file that a writer has written and not yet committed. */
    private record Unfinished(String branch, TableIdentifier table, DataFile file, Instant writtenAt) {}

    TableSteps(LakeClient lake, Random random, Revival revival) {
        this.lake = lake;
        this.random = random;
        this.revival = revival;
        this.changes = new TableChanges(random, revival);
        this.locations = new TableLocations(lake.warehouse(), random);
    }

    TableChanges changes() {
        return changes;
    }

    String create(String branch) {
        NessieCatalog catalog = lake.at(branch);
        TableIdentifier name = anyName("table");
        if (catalog.tableExists(name)) {
            return change(branch);
        }
        Map<String, String> properties = new HashMap<>();
        int format = 1 + random.nextInt(3);
        properties.put(TableProperties.FORMAT_VERSION, Integer.toString(format));
        // A Nessie catalog turns it off by default, and nobody could expire a snapshot.
        properties.put(TableProperties.GC_ENABLED, "true");
        if (random.nextInt(3) == 0) {
            properties.put(TableProperties.MANIFEST_MIN_MERGE_COUNT, "2");
        }
        if (random.nextInt(4) == 0) {
            properties.put(TableProperties.METADATA_COMPRESSION, "gzip");
        }
        if (format == 1 && random.nextInt(2) == 0) {
            // Then the metadata file names the manifests itself.
            properties.put("write.manifest-lists.enabled", "false");
        }
        locations.addPaths(properties);
        String location = locations.any(name);
        Table table = catalog.buildTable(name, Lake.ROWS)
                .withLocation(location)
                .withProperties(properties)
                .create();
        changes.append(table);
        remember(branch, name);
        return "create " + name + " on " + branch + " at " + location + " " + properties;
    }

    String change(String branch) {
        List<TableIdentifier> tables = lake.at(branch).listTables(SHOP);
        if (tables.isEmpty()) {
            return "no table on " + branch;
        }
        TableIdentifier name = any(sorted(tables));
        String what = changes.applyAny(lake.at(branch).loadTable(name));
        remember(branch, name);
        return what + ": " + name + " on " + branch;
    }

    String drop(String branch) {
        TableIdentifier name = anyName("table");
        boolean dropped = lake.at(branch).dropTable(name, false);
        return (dropped ? "drop " : "nothing to drop: ") + name + " on " + branch;
    }

    /** Drops a table and makes a new one of the same name in the same place. */
    String recreate(String branch) {
        NessieCatalog catalog = lake.at(branch);
        TableIdentifier name = anyName("table");
        if (!catalog.tableExists(name)) {
            return create(branch);
        }
        String location = catalog.loadTable(name).location();
        catalog.dropTable(name, false);
        changes.append(catalog.buildTable(name, Lake.ROWS)
                .withLocation(location)
                .withProperty(TableProperties.GC_ENABLED, "true")
                .create());
        remember(branch, name);
        return "drop and create " + name + " on " + branch + " at " + location;
    }

    String rename(String branch) {
        TableIdentifier from = anyName("table");
        TableIdentifier to = anyName("table");
        try {
            lake.at(branch).renameTable(from, to);
            return "rename " + from + " to " + to + " on " + branch;
        } catch (NoSuchTableException | AlreadyExistsException refused) {
            return refused.getMessage();
        }
    }

    /** Registers a metadata file that some table once had. */
    String register(String branch) {
        TableIdentifier name = anyName("table");
        NessieCatalog catalog = lake.at(branch);
        if (versions.isEmpty() || catalog.tableExists(name)) {
            return "nothing registered";
        }
        // Registering publishes the metadata's own current snapshot.
        String location = any(versions).getMetadataLocation();
        if (!revival.isWhole(IcebergTable.of(location, -1, 0, 0, 0))) {
            return "not registered, as files are gone: " + location;
        }
        catalog.registerTable(name, location);
        return "register " + location + " as " + name + " on " + branch;
    }

    /** Sets a table back to an earlier version by a commit of the content alone. */
    String restore(String branch) throws BaseNessieClientServerException {
        List<Entry> tables = lake.entries(branch, Content.Type.ICEBERG_TABLE);
        if (tables.isEmpty()) {
            return "no table on " + branch;
        }
        Entry table = any(tables);
        List<IcebergTable> earlier = versions.stream()
                .filter(version -> version.getId().equals(table.getContentId()))
                .toList();
        if (earlier.isEmpty()) {
            return "nothing restored";
        }
        IcebergTable version = any(earlier);
        if (!revival.isWhole(version)) {
            return "not restored, as files are gone: " + version;
        }
        lake.put(branch, table.getName(), version);
        return "restore " + table.getName() + " on " + branch + " to " + version;
    }

    /** Writes metadata as engines without Iceberg's Nessie catalog do: with a log of earlier files, and any snapshot recorded. */
    String putForeignMetadata(String branch) throws BaseNessieClientServerException {
        List<Entry> tables = lake.entries(branch, Content.Type.ICEBERG_TABLE);
        if (tables.isEmpty()) {
            return "no table on " + branch;
        }
        Entry entry = any(tables);
        IcebergTable content = (IcebergTable) entry.getContent();
        LocalFiles io = new LocalFiles();
        TableMetadata old = TableMetadataParser.read(io, content.getMetadataLocation());
        TableMetadata next = TableMetadata.buildFrom(old)
                .setPreviousFileLocation(content.getMetadataLocation())
                .setProperties(Map.of("written-by", "another engine"))
                .build();
        String location = old.location() + "/metadata/v-" + UUID.randomUUID() + ".metadata.json";
        TableMetadataParser.write(next, io.newOutputFile(location));
        List<Long> snapshots = new ArrayList<>();
        next.snapshots().forEach(snapshot -> snapshots.add(snapshot.snapshotId()));
        snapshots.add(-1L);
        IcebergTable version = IcebergTable.builder()
                .from(content)
                .metadataLocation(location)
                .snapshotId(any(snapshots))
                .build();
        if (!revival.isWhole(version)) {
            return "not put, as files are gone: " + version;
        }
        lake.put(branch, entry.getName(), version);
        versions.add(version);
        return "put " + version + " as " + entry.getName() + " on " + branch;
    }

    String putView(String branch) {
        NessieCatalog catalog = lake.at(branch);
        TableIdentifier name = anyName("view");
        if (random.nextInt(4) == 0) {
            return (catalog.dropView(name) ? "drop " : "nothing to drop: ") + name + " on " + branch;
        }
        catalog.buildView(name)
                .withSchema(Lake.ROWS)
                .withDefaultNamespace(SHOP)
                .withQuery("spark", "select * from table" + random.nextInt(NAMES))
                .createOrReplace();
        return "create or replace " + name + " on " + branch;
    }

    /** Leaves files that no commit ever had: a data file, what a dying writer leaves, or something else altogether. */
    String leaveOrphans(String branch) throws IOException {
        List<TableIdentifier> tables = lake.at(branch).listTables(SHOP);
        if (tables.isEmpty()) {
            return "no table on " + branch;
        }
        Table table = lake.at(branch).loadTable(any(sorted(tables)));
        switch (random.nextInt(3)) {
            case 0 -> changes.write(table);
            case 1 -> changes.appendAndDie(table);
            default -> {
                Path folder = LocalFiles.path(table.location())
                        .resolve(any(List.of("data", "metadata", "_temporary/0", "de ep/e%20r")));
                Files.createDirectories(folder);
                Files.writeString(folder.resolve("orphan-" + UUID.randomUUID() + ".tmp"), "left behind");
            }
        }
        return "leave orphans in " + table.location();
    }

    /** Writes a data file; its writer commits it in a later step. */
    String beginAppend(String branch, Instant now) {
        List<TableIdentifier> tables = lake.at(branch).listTables(SHOP);
        if (tables.isEmpty()) {
            return "no table on " + branch;
        }
        TableIdentifier name = any(sorted(tables));
        unfinished.add(
                new Unfinished(branch, name, changes.write(lake.at(branch).loadTable(name)), now));
        return "begin an append to " + name + " on " + branch;
    }

    /** Commits what a writer has written earlier, unless it took longer than a writer may. */
    String endAppend(Instant now, Duration patience) throws BaseNessieClientServerException {
        if (unfinished.isEmpty()) {
            return "no append under way";
        }
        Unfinished append = unfinished.remove(random.nextInt(unfinished.size()));
        if (append.writtenAt().plus(patience).isBefore(now)
                || !lake.names(ReferenceType.BRANCH).contains(append.branch())
                || !lake.at(append.branch()).tableExists(append.table())) {
            return "an append to " + append.table() + " on " + append.branch() + " came to nothing";
        }
        changes.appendWritten(lake.at(append.branch()).loadTable(append.table()), List.of(append.file()));
        remember(append.branch(), append.table());
        return "end an append to " + append.table() + " on " + append.branch();
    }

    /** Notes the version that a table has now, for {@link #register} and {@link #restore}. */
    private void remember(String branch, TableIdentifier name) {
        ContentKey key = ContentKey.of(SHOP.level(0), name.name());
        try {
            versions.add((IcebergTable)
                    lake.api().getContent().refName(branch).getSingle(key).getContent());
        } catch (BaseNessieClientServerException e) {
            throw new IllegalStateException(e);
        }
    }

    private TableIdentifier anyName(String prefix) {
        return TableIdentifier.of(SHOP, prefix + random.nextInt(NAMES));
    }

    private static List<TableIdentifier> sorted(List<TableIdentifier> tables) {
        return tables.stream().sorted((a, b) -> a.name().compareTo(b.name())).toList();
    }

    private <T> T any(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }
}
