package org.anabranch.cli.gc.laws;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.projectnessie.error.BaseNessieClientServerException;
import org.projectnessie.model.CommitMeta;
import org.projectnessie.model.Content;
import org.projectnessie.model.Detached;
import org.projectnessie.model.EntriesResponse.Entry;
import org.projectnessie.model.FetchOption;
import org.projectnessie.model.IcebergTable;
import org.projectnessie.model.IcebergView;
import org.projectnessie.model.LogResponse.LogEntry;
import org.projectnessie.model.Operation;
import org.projectnessie.model.Reference;

/**
 * What a lake must hold, by looking at everything: every live commit of every reference, every content there, every file that it
 * leads to, and every row that can be read.
 *
 * <p>What was seen once is remembered where it cannot change: contents by commit, files by metadata file. For one thread.
 */
final class LakeAudit implements Revival {

    /**
     * A table or view as a commit has it.
     *
     * @param snapshotId the only live snapshot, -1 for the metadata's own current one; 0 where all are live
     */
    private record Pointer(Content.Type type, String metadataLocation, long snapshotId) {}

    private static final long ALL_SNAPSHOTS = 0;

    private final LakeClient lake;
    private final LiveRules rules;
    private final Map<String, Set<Pointer>> pointersByCommit = new HashMap<>();
    private final Map<String, List<LogEntry>> logs = new HashMap<>();
    private final Map<Pointer, NeededFiles> neededByPointer = new HashMap<>();
    private final Map<String, Path> locationsByMetadata = new HashMap<>();
    private Instant now;

    LakeAudit(LakeClient lake, LiveRules rules, Instant now) {
        this.lake = lake;
        this.rules = rules;
        this.now = now;
    }

    /** Sets the time that the age of commits is counted from. */
    void setNow(Instant now) {
        this.now = now;
    }

    /** Every file that something live needs. Something that is live must be readable. */
    Set<Path> liveFiles() throws BaseNessieClientServerException {
        Set<Path> files = new HashSet<>();
        for (Pointer pointer : livePointers()) {
            files.addAll(needed(pointer).files());
        }
        return files;
    }

    /** The metadata files of all live tables and views, as the catalog spells them. */
    Set<String> liveMetadata() throws BaseNessieClientServerException {
        Set<String> locations = new HashSet<>();
        livePointers().forEach(pointer -> locations.add(pointer.metadataLocation()));
        return locations;
    }

    /** The folders of every live table and view that needs a file, and where links lead to from them. */
    Set<Path> locationsThatNeed(Path file) throws BaseNessieClientServerException, IOException {
        Set<Path> locations = new TreeSet<>();
        for (Pointer pointer : livePointers()) {
            if (needed(pointer).files().contains(file)) {
                locations.add(location(pointer));
                locations.add(location(pointer).toRealPath());
            }
        }
        return locations;
    }

    /** Every live table or view that lacks a file, with the file. */
    List<String> missing() throws BaseNessieClientServerException {
        List<String> missing = new ArrayList<>();
        for (Pointer pointer : livePointers()) {
            for (Path file : needed(pointer).files()) {
                if (!Files.isRegularFile(file)) {
                    missing.add(pointer + " lacks " + file);
                }
            }
        }
        return missing;
    }

    /**
     * Reads the rows of every snapshot of every live table.
     *
     * @param changes knows which rows each snapshot must have
     * @return a line for each snapshot that cannot be read or has other rows
     */
    List<String> unreadable(TableChanges changes) throws BaseNessieClientServerException {
        List<String> unreadable = new ArrayList<>();
        Set<Long> read = new HashSet<>();
        for (Pointer pointer : livePointers()) {
            for (long snapshot : needed(pointer).snapshots()) {
                if (!read.add(snapshot)) {
                    continue;
                }
                try {
                    SortedSet<Long> rows = NeededFiles.rows(pointer.metadataLocation(), snapshot);
                    if (!rows.equals(changes.rows(snapshot))) {
                        unreadable.add(pointer + " has in snapshot " + snapshot + " the rows " + rows + " instead of "
                                + changes.rows(snapshot));
                    }
                } catch (IOException | RuntimeException e) {
                    unreadable.add(pointer + " cannot be read at snapshot " + snapshot + ": " + e);
                }
            }
        }
        return unreadable;
    }

    /** The folders of everything that the logs of all references ever put and whose metadata can still be read. */
    Set<Path> knownLocations() throws BaseNessieClientServerException {
        Set<Path> locations = new TreeSet<>();
        for (Reference reference : lake.references()) {
            for (LogEntry commit : log(reference.getHash())) {
                for (Operation operation : operations(commit)) {
                    if (operation instanceof Operation.Put put) {
                        pointer(put.getContent())
                                .filter(pointer -> locationsByMetadata.containsKey(pointer.metadataLocation())
                                        || Files.exists(LocalFiles.path(pointer.metadataLocation())))
                                .forEach(pointer -> locations.add(location(pointer)));
                    }
                }
            }
        }
        return locations;
    }

    /** All files below the warehouse, where they are, without links. */
    static Set<Path> files(Path warehouse) throws IOException {
        try (Stream<Path> paths = Files.walk(warehouse)) {
            Set<Path> files = new TreeSet<>();
            paths.filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))
                    .forEach(files::add);
            return files;
        }
    }

    /** All commits of all references, the oldest first. */
    static List<CommitMeta> commits(LakeClient lake) throws BaseNessieClientServerException {
        Map<String, CommitMeta> commits = new HashMap<>();
        for (Reference reference : lake.references()) {
            lake.api().getCommitLog().refName(reference.getName()).stream()
                    .map(LogEntry::getCommitMeta)
                    .forEach(commit -> commits.put(commit.getHash(), commit));
        }
        return commits.values().stream()
                .sorted(Comparator.comparing(CommitMeta::getCommitTime).thenComparing(CommitMeta::getHash))
                .toList();
    }

    @Override
    public boolean isWhole(Reference reference) {
        try {
            Set<Pointer> pointers = new LinkedHashSet<>();
            addPointers(reference, pointers);
            return pointers.stream().allMatch(this::isWhole);
        } catch (BaseNessieClientServerException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public boolean isWhole(IcebergTable version) {
        return pointer(version).allMatch(this::isWhole);
    }

    private boolean isWhole(Pointer pointer) {
        NeededFiles needed;
        try {
            needed = needed(pointer);
        } catch (RuntimeException unreadable) {
            return false;
        }
        return needed.files().stream().allMatch(Files::isRegularFile);
    }

    private Set<Pointer> livePointers() throws BaseNessieClientServerException {
        Set<Pointer> pointers = new LinkedHashSet<>();
        for (Reference reference : lake.references()) {
            addPointers(reference, pointers);
        }
        for (String pin : rules.pins()) {
            pointers.addAll(pointersAt(pin));
        }
        return pointers;
    }

    private void addPointers(Reference reference, Set<Pointer> pointers) throws BaseNessieClientServerException {
        int position = 0;
        for (LogEntry commit : log(reference.getHash())) {
            position++;
            if (!rules.cutoffs()
                    .isLive(reference, position, commit.getCommitMeta().getCommitTime(), now)) {
                return;
            }
            pointers.addAll(pointersAt(commit.getCommitMeta().getHash()));
        }
    }

    private Set<Pointer> pointersAt(String commit) throws BaseNessieClientServerException {
        Set<Pointer> pointers = pointersByCommit.get(commit);
        if (pointers == null) {
            Set<Pointer> found = new LinkedHashSet<>();
            lake.api().getEntries().reference(Detached.of(commit)).withContent(true).stream()
                    .map(Entry::getContent)
                    .forEach(content -> pointer(content).forEach(found::add));
            pointers = found;
            pointersByCommit.put(commit, pointers);
        }
        return pointers;
    }

    private List<LogEntry> log(String hash) throws BaseNessieClientServerException {
        List<LogEntry> log = logs.get(hash);
        if (log == null) {
            log = hash.equals(lake.api().getConfig().getNoAncestorHash())
                    ? List.of()
                    : lake.api().getCommitLog().reference(Detached.of(hash)).fetch(FetchOption.ALL).stream()
                            .toList();
            logs.put(hash, log);
        }
        return log;
    }

    private NeededFiles needed(Pointer pointer) {
        return neededByPointer.computeIfAbsent(pointer, unread -> {
            if (unread.type() == Content.Type.ICEBERG_VIEW) {
                return NeededFiles.ofView(unread.metadataLocation());
            }
            return rules.snapshots() == LiveRules.Snapshots.ALL
                    ? NeededFiles.ofTable(unread.metadataLocation())
                    : NeededFiles.ofSnapshot(unread.metadataLocation(), unread.snapshotId());
        });
    }

    private Path location(Pointer pointer) {
        return locationsByMetadata.computeIfAbsent(
                pointer.metadataLocation(),
                unread -> pointer.type() == Content.Type.ICEBERG_TABLE
                        ? NeededFiles.locationOfTable(unread)
                        : NeededFiles.locationOfView(unread));
    }

    private static List<Operation> operations(LogEntry commit) {
        return commit.getOperations() == null ? List.of() : commit.getOperations();
    }

    /** None for what is neither a table nor a view. */
    private Stream<Pointer> pointer(Content content) {
        return switch (content) {
            case IcebergTable table ->
                Stream.of(new Pointer(
                        Content.Type.ICEBERG_TABLE,
                        table.getMetadataLocation(),
                        rules.snapshots() == LiveRules.Snapshots.ALL ? ALL_SNAPSHOTS : table.getSnapshotId()));
            case IcebergView view ->
                Stream.of(new Pointer(Content.Type.ICEBERG_VIEW, view.getMetadataLocation(), ALL_SNAPSHOTS));
            default -> Stream.empty();
        };
    }
}
