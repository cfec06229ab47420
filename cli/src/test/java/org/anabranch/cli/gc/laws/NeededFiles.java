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
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.StaticTableOperations;
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
    private final List<Path> locations = new ArrayList<>();
    private final List<Long> snapshots = new ArrayList<>();

    /**
     * Reads a view's metadata.
     *
     * @throws RuntimeException a file is missing or broken
     */
    static NeededFiles ofView(String metadataLocation) {
        NeededFiles needed = new NeededFiles();
        needed.add(metadataLocation);
        needed.locations.add(LocalFiles.path(
                ViewMetadataParser.read(IO.newInputFile(metadataLocation)).location()));
        return needed;
    }

    /**
     * Reads a table's metadata, and all manifests of all its snapshots.
     *
     * @throws RuntimeException a file is missing or broken
     */
    static NeededFiles ofTable(String metadataLocation) {
        NeededFiles needed = new NeededFiles();
        BaseTable table = open(metadataLocation);
        TableMetadata metadata = table.operations().current();
        needed.add(metadataLocation);
        needed.locations.add(LocalFiles.path(metadata.location()));
        metadata.previousFiles().forEach(entry -> needed.add(entry.file()));
        metadata.statisticsFiles().forEach(file -> needed.add(file.path()));
        metadata.partitionStatisticsFiles().forEach(file -> needed.add(file.path()));
        for (Snapshot snapshot : metadata.snapshots()) {
            needed.snapshots.add(snapshot.snapshotId());
            if (snapshot.manifestListLocation() != null) {
                needed.add(snapshot.manifestListLocation());
            }
            for (ManifestFile manifest : snapshot.allManifests(IO)) {
                needed.add(manifest.path());
                needed.addEntries(manifest, metadata);
            }
        }
        return needed;
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

    Set<Path> files() {
        return files;
    }

    /** The ids of all snapshots that the metadata names; none for a view. */
    List<Long> snapshots() {
        return snapshots;
    }

    /** The folders that the metadata calls the table's or view's own. */
    List<Path> locations() {
        return locations;
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
        files.add(LocalFiles.path(location));
    }
}
