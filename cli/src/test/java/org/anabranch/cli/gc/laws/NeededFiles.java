package org.anabranch.cli.gc.laws;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.ContentFile;
import org.apache.iceberg.ManifestContent;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.ManifestFiles;
import org.apache.iceberg.ManifestReader;
import org.apache.iceberg.PartitionStatisticsFile;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.StaticTableOperations;
import org.apache.iceberg.StatisticsFile;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.data.IcebergGenerics;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.view.ViewMetadataParser;

/** What one metadata file needs, found by reading everything that it leads to. */
final class NeededFiles {

    private static final FileIO IO = new LocalFiles();

    private final Set<Path> files = new TreeSet<>();
    private final List<Long> snapshots = new ArrayList<>();

    /** A view needs its metadata file. */
    static NeededFiles ofView(String metadataLocation) {
        NeededFiles needed = new NeededFiles();
        needed.add(metadataLocation);
        return needed;
    }

    /**
     * Reads a table's metadata, and all manifests of all its snapshots.
     *
     * @throws RuntimeException a file is missing or broken
     */
    static NeededFiles ofTable(String metadataLocation) {
        return ofTable(metadataLocation, open(metadataLocation).operations().current(), null);
    }

    /**
     * Reads a table's metadata, and all manifests of one of its snapshots.
     *
     * @param snapshotId -1 for the current one
     * @throws RuntimeException a file is missing or broken
     */
    static NeededFiles ofSnapshot(String metadataLocation, long snapshotId) {
        TableMetadata metadata = open(metadataLocation).operations().current();
        Snapshot current = metadata.currentSnapshot();
        return ofTable(
                metadataLocation, metadata, snapshotId >= 0 || current == null ? snapshotId : current.snapshotId());
    }

    /** @param only of its snapshots; null for all */
    private static NeededFiles ofTable(String metadataLocation, TableMetadata metadata, Long only) {
        NeededFiles needed = new NeededFiles();
        needed.add(metadataLocation);
        metadata.previousFiles().forEach(entry -> needed.add(entry.file()));
        for (StatisticsFile file : metadata.statisticsFiles()) {
            if (only == null || file.snapshotId() == only) {
                needed.add(file.path());
            }
        }
        for (PartitionStatisticsFile file : metadata.partitionStatisticsFiles()) {
            if (only == null || file.snapshotId() == only) {
                needed.add(file.path());
            }
        }
        for (Snapshot snapshot : metadata.snapshots()) {
            if (only == null || snapshot.snapshotId() == only) {
                needed.add(snapshot, metadata);
            }
        }
        return needed;
    }

    private void add(Snapshot snapshot, TableMetadata metadata) {
        snapshots.add(snapshot.snapshotId());
        if (snapshot.manifestListLocation() != null) {
            add(snapshot.manifestListLocation());
        }
        for (ManifestFile manifest : snapshot.allManifests(IO)) {
            add(manifest.path());
            addEntries(manifest, metadata);
        }
    }

    /**
     * The folder that a table's metadata calls its own.
     *
     * @throws RuntimeException the metadata file is missing or broken
     */
    static Path locationOfTable(String metadataLocation) {
        return LocalFiles.path(open(metadataLocation).operations().current().location());
    }

    /**
     * The folder that a view's metadata calls its own.
     *
     * @throws RuntimeException the metadata file is missing or broken
     */
    static Path locationOfView(String metadataLocation) {
        return LocalFiles.path(
                ViewMetadataParser.read(IO.newInputFile(metadataLocation)).location());
    }

    /**
     * Reads the rows of one snapshot with Iceberg's generic reader.
     *
     * @throws RuntimeException a file is missing or broken
     */
    static SortedSet<Long> rows(String metadataLocation, long snapshotId) throws IOException {
        SortedSet<Long> rows = new TreeSet<>();
        try (CloseableIterable<Record> records = IcebergGenerics.read(open(metadataLocation))
                .useSnapshot(snapshotId)
                .build()) {
            records.forEach(record -> rows.add((Long) record.getField("id")));
        }
        return rows;
    }

    /** As the metadata names them, and where links lead, so far as they are there. */
    Set<Path> files() {
        return files;
    }

    /** The ids of the snapshots whose files these are; none for a view. */
    List<Long> snapshots() {
        return snapshots;
    }

    private static BaseTable open(String metadataLocation) {
        return new BaseTable(new StaticTableOperations(metadataLocation, IO), metadataLocation);
    }

    private void addEntries(ManifestFile manifest, TableMetadata metadata) {
        ManifestReader<? extends ContentFile<?>> reader = manifest.content() == ManifestContent.DATA
                ? ManifestFiles.read(manifest, IO, metadata.specsById())
                : ManifestFiles.readDeleteManifest(manifest, IO, metadata.specsById());
        try (reader) {
            reader.forEach(file -> add(file.location()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void add(String location) {
        Path file = LocalFiles.path(location);
        files.add(file);
        try {
            files.add(file.toRealPath());
        } catch (IOException e) {
            // There is nothing, and that is for others to tell.
        }
    }
}
