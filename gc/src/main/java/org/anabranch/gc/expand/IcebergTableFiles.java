package org.anabranch.gc.expand;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.anabranch.gc.ContentPointer;
import org.anabranch.gc.FileLocation;
import org.anabranch.gc.NeededFiles;
import org.anabranch.gc.TableFiles;
import org.anabranch.gc.TableFiles.Unreadable.Cause;
import org.apache.iceberg.PartitionStatisticsFile;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.StatisticsFile;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableMetadata.MetadataLogEntry;
import org.apache.iceberg.TableMetadataParser;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.view.ViewMetadata;
import org.apache.iceberg.view.ViewMetadataParser;

/**
 * Tables and views of Iceberg, format versions 1 to 3, read by iceberg-core.
 *
 * <p>A table needs, besides its metadata file: the earlier metadata files that this one logs (which are named, not read); the
 * manifest list of each live snapshot, or the manifests that a version 1 snapshot lists itself; the manifests; every entry of
 * a manifest that is not marked as deleted, be it data, position or equality deletes or a deletion vector's file; and the
 * files of statistics. A view needs its metadata file.
 *
 * <p>Encrypted tables and later format versions count as unreadable: what they need would be a guess.
 */
public final class IcebergTableFiles implements TableFiles {

    private static final int LAST_KNOWN_FORMAT = 3;

    private static final String ENCRYPTION_KEY = "encryption.key-id";

    private static final String METADATA_LOCATION = "write.metadata.path";

    /** The properties by which a table sends files elsewhere; the middle two are those of older writers. */
    private static final List<String> LOCATIONS =
            List.of("write.data.path", "write.object-storage.path", "write.folder-storage.path", METADATA_LOCATION);

    private final FileIO io;
    private final SnapshotScope scope;
    private final NeededFiles needed;
    private final Function<String, List<FileLocation>> locations;
    private final SnapshotFiles snapshots;

    /**
     * @param needed takes the files
     * @param locations the locations of the file that a path names, its own first
     * @param manifestReaders runs the reading of manifests, whichever table they belong to; not the threads that call this
     */
    public IcebergTableFiles(
            FileIO io,
            SnapshotScope scope,
            NeededFiles needed,
            Function<String, List<FileLocation>> locations,
            Executor manifestReaders) {
        this.io = io;
        this.scope = scope;
        this.needed = needed;
        this.locations = locations;
        this.snapshots = new SnapshotFiles(io, needed, locations, manifestReaders);
    }

    @Override
    public Expansion expand(ContentPointer pointer) {
        return read(pointer, table -> name(pointer, table), view -> name(pointer));
    }

    @Override
    public Expansion locate(ContentPointer pointer) {
        return read(pointer, table -> List.of(), view -> List.of());
    }

    private Expansion read(
            ContentPointer pointer,
            Function<TableMetadata, List<Unreadable>> onTable,
            Function<ViewMetadata, List<Unreadable>> onView) {
        String path = pointer.metadataLocation();
        switch (pointer.kind()) {
            case ICEBERG_TABLE -> {
                TableMetadata table;
                try {
                    table = TableMetadataParser.read(io, path);
                } catch (RuntimeException e) {
                    return unreadable(path, e);
                }
                return new Expansion(
                        Metadata.READ, claimed(table.location(), table.properties()), onTable.apply(table));
            }
            case ICEBERG_VIEW -> {
                ViewMetadata view;
                try {
                    view = ViewMetadataParser.read(io, path);
                } catch (RuntimeException e) {
                    return unreadable(path, e);
                }
                return new Expansion(Metadata.READ, claimed(view.location(), view.properties()), onView.apply(view));
            }
        }
        throw new IllegalArgumentException("Contents of kind " + pointer.kind() + " have no metadata file");
    }

    private Expansion unreadable(String path, RuntimeException failure) {
        return new Expansion(
                Metadata.UNREADABLE,
                List.of(customaryFolder(path)),
                List.of(UnreadableFiles.unreadable(io, path, failure)));
    }

    private List<Unreadable> name(ContentPointer view) {
        return name(view.metadataLocation(), List.of(view.metadataLocation()));
    }

    private List<Unreadable> name(ContentPointer pointer, TableMetadata table) {
        String path = pointer.metadataLocation();
        List<Snapshot> live = live(pointer, table);
        List<Unreadable> unreadable = new ArrayList<>(name(path, ownFiles(path, table, live)));
        Optional<Unreadable> unknown = whyUnknown(pointer, table);
        unknown.ifPresent(unreadable::add);
        if (unknown.isEmpty()) {
            unreadable.addAll(snapshots.expand(path, table, folders(table), live));
        }
        return unreadable;
    }

    /** Names files that a metadata file names itself, as far as their paths are any. */
    private List<Unreadable> name(String metadata, List<String> paths) {
        List<FileLocation> files = new ArrayList<>();
        List<Unreadable> unreadable = new ArrayList<>();
        for (String path : paths) {
            try {
                files.addAll(locations.apply(path));
            } catch (IllegalArgumentException e) {
                unreadable.add(new Unreadable(path, Cause.UNUSABLE, e.getMessage()));
            }
        }
        needed.add(metadata, null, files);
        return unreadable;
    }

    private List<Snapshot> live(ContentPointer pointer, TableMetadata table) {
        if (scope == SnapshotScope.ALL) {
            return table.snapshots();
        }
        Snapshot recorded = pointer.versionId() < 0 ? table.currentSnapshot() : table.snapshot(pointer.versionId());
        return recorded == null ? List.of() : List.of(recorded);
    }

    /** The metadata file, and what it names itself. */
    private List<String> ownFiles(String path, TableMetadata table, List<Snapshot> live) {
        List<String> paths = new ArrayList<>(List.of(path));
        table.previousFiles().stream().map(MetadataLogEntry::file).forEach(paths::add);
        live.stream()
                .map(Snapshot::manifestListLocation)
                .filter(Objects::nonNull)
                .forEach(paths::add);
        Set<Long> ids = live.stream().map(Snapshot::snapshotId).collect(Collectors.toSet());
        table.statisticsFiles().stream()
                .filter(file -> scope == SnapshotScope.ALL || ids.contains(file.snapshotId()))
                .map(StatisticsFile::path)
                .forEach(paths::add);
        table.partitionStatisticsFiles().stream()
                .filter(file -> scope == SnapshotScope.ALL || ids.contains(file.snapshotId()))
                .map(PartitionStatisticsFile::path)
                .forEach(paths::add);
        return paths;
    }

    private static Optional<Unreadable> whyUnknown(ContentPointer pointer, TableMetadata table) {
        String reason;
        if (table.formatVersion() > LAST_KNOWN_FORMAT) {
            reason = "its format version " + table.formatVersion() + " is later than the last known, "
                    + LAST_KNOWN_FORMAT;
        } else if (!table.encryptionKeys().isEmpty() || table.properties().containsKey(ENCRYPTION_KEY)) {
            reason = "the table is encrypted";
        } else if (pointer.versionId() >= 0 && table.snapshot(pointer.versionId()) == null) {
            reason = "it does not have the snapshot " + pointer.versionId() + " that the catalog records";
        } else {
            return Optional.empty();
        }
        return Optional.of(new Unreadable(pointer.metadataLocation(), Cause.UNUSABLE, reason));
    }

    /** What a table claims, as far as that is any location. */
    private static List<FileLocation> folders(TableMetadata table) {
        List<FileLocation> folders = new ArrayList<>();
        for (String path : claimed(table.location(), table.properties())) {
            try {
                folders.add(FileLocation.parse(path));
            } catch (IllegalArgumentException e) {
                // Nothing lies in it.
            }
        }
        return folders;
    }

    private static List<String> claimed(String location, Map<String, String> properties) {
        return Stream.concat(Stream.of(location), LOCATIONS.stream().map(properties::get))
                .filter(Objects::nonNull)
                .distinct()
                .toList();
    }

    /** Where the files of a table lie whose metadata file has this path, if its writer kept to the custom. */
    private static String customaryFolder(String path) {
        String folder = parent(path);
        return folder.endsWith("/metadata") ? parent(folder) : folder;
    }

    private static String parent(String path) {
        return path.substring(0, Math.max(0, path.lastIndexOf('/')));
    }
}
