package org.anabranch.gc.expand;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.anabranch.gc.FileLocation;
import org.apache.iceberg.ContentFile;
import org.apache.iceberg.ManifestContent;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.ManifestFiles;
import org.apache.iceberg.ManifestReader;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.io.CloseableIterator;
import org.apache.iceberg.io.FileIO;

/**
 * The paths of a manifest's entries that are not marked as deleted, some at a time.
 *
 * <p>What goes wrong with the manifest is an {@link UnreadableManifestException}, which no other failure is.
 */
final class EntryPaths implements AutoCloseable {

    private static final List<String> PATH_COLUMN = List.of("file_path");

    private final ManifestFile manifest;
    private final CloseableIterable<? extends ContentFile<?>> entries;
    private final CloseableIterator<? extends ContentFile<?>> iterator;

    private long read;

    private EntryPaths(
            ManifestFile manifest,
            CloseableIterable<? extends ContentFile<?>> entries,
            CloseableIterator<? extends ContentFile<?>> iterator) {
        this.manifest = manifest;
        this.entries = entries;
        this.iterator = iterator;
    }

    /** The manifest cannot be read, or names what is no file. */
    static final class UnreadableManifestException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private final transient RuntimeException failure;

        private UnreadableManifestException(RuntimeException failure) {
            super(failure);
            this.failure = failure;
        }

        RuntimeException failure() {
            return failure;
        }
    }

    static EntryPaths open(ManifestFile manifest, FileIO io, Map<Integer, PartitionSpec> specs) {
        try {
            Map<Integer, PartitionSpec> known = specs.containsKey(manifest.partitionSpecId()) ? specs : null;
            ManifestReader<?> reader = manifest.content() == ManifestContent.DATA
                    ? ManifestFiles.read(manifest, io, known)
                    : ManifestFiles.readDeleteManifest(manifest, io, known);
            CloseableIterable<? extends ContentFile<?>> entries = reader.select(PATH_COLUMN);
            return new EntryPaths(manifest, entries, entries.iterator());
        } catch (RuntimeException e) {
            throw new UnreadableManifestException(e);
        }
    }

    /** Some more locations; empty at the end. */
    List<FileLocation> next(int limit, Function<String, List<FileLocation>> locations) {
        try {
            List<FileLocation> step = new ArrayList<>();
            while (step.size() < limit && iterator.hasNext()) {
                step.addAll(locations.apply(iterator.next().location()));
                read++;
            }
            if (step.isEmpty()) {
                requireAll();
            }
            return step;
        } catch (RuntimeException e) {
            throw new UnreadableManifestException(e);
        }
    }

    /** A manifest that was cut between two of its blocks reads well to where it was cut. */
    private void requireAll() {
        if (manifest.addedFilesCount() != null && manifest.existingFilesCount() != null) {
            long counted = (long) manifest.addedFilesCount() + manifest.existingFilesCount();
            if (read < counted) {
                throw new IllegalStateException(
                        "it has " + read + " files, and " + counted + " according to the snapshots that list it");
            }
        }
    }

    @Override
    public void close() {
        try (entries) {
            iterator.close();
        } catch (IOException e) {
            // All that was asked for was read.
        }
    }
}
