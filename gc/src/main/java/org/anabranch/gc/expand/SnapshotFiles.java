package org.anabranch.gc.expand;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.anabranch.gc.FileLocation;
import org.anabranch.gc.NeededFiles;
import org.anabranch.gc.NeededFiles.Reading;
import org.anabranch.gc.TableFiles.Unreadable;
import org.anabranch.gc.TableFiles.Unreadable.Cause;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotParser;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.io.FileIO;
import org.jspecify.annotations.Nullable;

/**
 * The files of snapshots. Each manifest list and each manifest is read once, however many snapshots, metadata files and tables share
 * it, in this run of the program and in those that went before it.
 */
final class SnapshotFiles {

    /** Bounds what the reading of one manifest holds in memory. */
    private static final int FILES_AT_ONCE = 10_000;

    private final FileIO io;
    private final NeededFiles needed;
    private final Function<String, List<FileLocation>> locations;
    private final Executor manifestReaders;
    private final OncePerFile lists = new OncePerFile();
    private final OncePerFile manifests = new OncePerFile();

    SnapshotFiles(
            FileIO io, NeededFiles needed, Function<String, List<FileLocation>> locations, Executor manifestReaders) {
        this.io = io;
        this.needed = needed;
        this.locations = locations;
        this.manifestReaders = manifestReaders;
    }

    /** The table that a manifest is read for: its metadata file, the folders that it claims, and its specs by their ids. */
    private record Owner(String metadataPath, List<FileLocation> claimed, Map<Integer, PartitionSpec> specs) {

        Set<FileLocation> outside(List<FileLocation> files) {
            return files.stream()
                    .filter(file -> claimed.stream().noneMatch(file::isWithin))
                    .map(FileLocation::parent)
                    .collect(Collectors.toSet());
        }
    }

    /** Names the files of snapshots, whose manifest lists are named already; gives what could not be read. */
    List<Unreadable> expand(
            String metadataPath, TableMetadata table, List<FileLocation> claimed, List<Snapshot> snapshots) {
        Map<String, Reading> known = needed.readings(snapshots.stream()
                .map(Snapshot::manifestListLocation)
                .filter(Objects::nonNull)
                .toList());
        List<Unreadable> unreadable = new ArrayList<>();
        for (Snapshot snapshot : snapshots) {
            String list = snapshot.manifestListLocation();
            Reading reading = list == null ? new Reading.Open() : known.get(list);
            if (reading instanceof Reading.Open) {
                reading = list == null
                        // The specs of such manifests are not known by their ids.
                        ? readManifestsOf(snapshot, metadataPath, null, new Owner(metadataPath, claimed, Map.of()))
                        : lists.read(
                                list,
                                () -> readList(list, new Owner(metadataPath, claimed, table.specsById()), snapshot));
            }
            if (reading instanceof Reading.Failed failed) {
                unreadable.add(failed.file());
            }
        }
        return unreadable;
    }

    private Reading readList(String list, Owner owner, Snapshot snapshot) {
        Reading known = reading(list);
        if (!(known instanceof Reading.Open)) {
            return known;
        }
        // A snapshot keeps the manifests that it has read for as long as its table; this one is forgotten with them.
        Snapshot forgotten = SnapshotParser.fromJson(SnapshotParser.toJson(snapshot));
        Reading ended = snapshot.keyId() == null
                ? readManifestsOf(forgotten, list, owner.metadataPath(), owner)
                : failed(list, "it is encrypted");
        needed.ended(list, ended);
        return ended;
    }

    /**
     * Reads all manifests of a snapshot.
     *
     * @param indexFile that lists them: the manifest list, or the metadata file
     */
    private Reading readManifestsOf(Snapshot snapshot, String indexFile, @Nullable String referrer, Owner owner) {
        List<ManifestFile> files;
        List<FileLocation> named;
        try {
            files = snapshot.allManifests(io);
            named = files.stream()
                    .flatMap(file -> locations.apply(file.path()).stream())
                    .toList();
        } catch (RuntimeException e) {
            return new Reading.Failed(UnreadableFiles.unreadable(io, indexFile, e));
        }
        needed.add(indexFile, referrer, named);
        return readManifests(indexFile, owner, files);
    }

    private Reading readManifests(String referrer, Owner owner, List<ManifestFile> files) {
        Map<String, Reading> known =
                needed.readings(files.stream().map(ManifestFile::path).toList());
        List<CompletableFuture<Reading>> readings = files.stream()
                .map(file -> known.get(file.path()) instanceof Reading.Open
                        ? CompletableFuture.supplyAsync(
                                () -> manifests.read(file.path(), () -> readManifest(file, referrer, owner)),
                                manifestReaders)
                        : CompletableFuture.completedFuture(known.get(file.path())))
                .toList();
        Reading worst = new Reading.Whole();
        for (CompletableFuture<Reading> reading : readings) {
            if (joined(reading) instanceof Reading.Failed failed) {
                worst = failed;
            }
        }
        return worst;
    }

    private Reading readManifest(ManifestFile manifest, String referrer, Owner owner) {
        String path = manifest.path();
        Reading known = reading(path);
        if (!(known instanceof Reading.Open)) {
            return known;
        }
        Reading ended;
        if (manifest.keyMetadata() != null) {
            ended = failed(path, "it is encrypted");
        } else {
            try (EntryPaths paths = EntryPaths.open(manifest, io, owner.specs())) {
                List<FileLocation> files = paths.next(FILES_AT_ONCE, locations);
                while (!files.isEmpty()) {
                    needed.add(path, referrer, files);
                    needed.outside(owner.metadataPath(), owner.outside(files));
                    files = paths.next(FILES_AT_ONCE, locations);
                }
                ended = new Reading.Whole();
            } catch (EntryPaths.UnreadableManifestException e) {
                ended = new Reading.Failed(UnreadableFiles.unreadable(io, path, e.failure()));
            }
        }
        needed.ended(path, ended);
        return ended;
    }

    private Reading reading(String indexFile) {
        return needed.readings(List.of(indexFile)).get(indexFile);
    }

    private static Reading failed(String path, String reason) {
        return new Reading.Failed(new Unreadable(path, Cause.UNUSABLE, reason));
    }

    private static Reading joined(CompletableFuture<Reading> reading) {
        try {
            return reading.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw e;
        }
    }
}
