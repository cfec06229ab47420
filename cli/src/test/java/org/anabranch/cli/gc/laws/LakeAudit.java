package org.anabranch.cli.gc.laws;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
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

    /** A table or view as a commit has it. */
    private record Pointer(Content.Type type, String metadataLocation) {}

    private final LakeClient lake;
    private final Cutoffs cutoffs;
    private final Map<String, Set<Pointer>> pointersByCommit = new HashMap<>();
    private final Map<String, List<LogEntry>> logs = new HashMap<>();
    private final Map<Pointer, NeededFiles> neededByPointer = new HashMap<>();
    private Instant now;

    LakeAudit(LakeClient lake, Cutoffs cutoffs, Instant now) {
        this.lake = lake;
        this.cutoffs = cutoffs;
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

    /** The folders of every live table and view that needs a file. */
    Set<Path> locationsThatNeed(Path file) throws BaseNessieClientServerException {
        Set<Path> locations = new TreeSet<>();
        for (Pointer pointer : livePointers()) {
            if (needed(pointer).files().contains(file)) {
                locations.addAll(needed(pointer).locations());
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
                                .filter(pointer -> neededByPointer.containsKey(pointer)
                                        || Files.exists(LocalFiles.path(pointer.metadataLocation())))
                                .forEach(pointer ->
                                        locations.addAll(needed(pointer).locations()));
                    }
                }
            }
        }
        return locations;
    }

    /** All files below the warehouse. */
    static Set<Path> files(Path warehouse) throws IOException {
        try (Stream<Path> paths = Files.walk(warehouse)) {
            Set<Path> files = new TreeSet<>();
            paths.filter(Files::isRegularFile).forEach(files::add);
            return files;
        }
    }

    /** The times of all commits of all references. */
    static List<Instant> commitTimes(LakeClient lake) throws BaseNessieClientServerException {
        Set<Instant> times = new TreeSet<>();
        for (Reference reference : lake.references()) {
            lake.api().getCommitLog().refName(reference.getName()).stream()
                    .forEach(entry -> times.add(entry.getCommitMeta().getCommitTime()));
        }
        return List.copyOf(times);
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
        return isWhole(new Pointer(Content.Type.ICEBERG_TABLE, version.getMetadataLocation()));
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
        return pointers;
    }

    private void addPointers(Reference reference, Set<Pointer> pointers) throws BaseNessieClientServerException {
        int position = 0;
        for (LogEntry commit : log(reference.getHash())) {
            position++;
            if (!cutoffs.isLive(reference, position, commit.getCommitMeta().getCommitTime(), now)) {
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
        return neededByPointer.computeIfAbsent(
                pointer,
                unread -> unread.type() == Content.Type.ICEBERG_TABLE
                        ? NeededFiles.ofTable(unread.metadataLocation())
                        : NeededFiles.ofView(unread.metadataLocation()));
    }

    private static List<Operation> operations(LogEntry commit) {
        return commit.getOperations() == null ? List.of() : commit.getOperations();
    }

    /** None for what is neither a table nor a view. */
    private static Stream<Pointer> pointer(Content content) {
        return switch (content) {
            case IcebergTable table -> Stream.of(new Pointer(Content.Type.ICEBERG_TABLE, table.getMetadataLocation()));
            case IcebergView view -> Stream.of(new Pointer(Content.Type.ICEBERG_VIEW, view.getMetadataLocation()));
            default -> Stream.empty();
        };
    }
}
