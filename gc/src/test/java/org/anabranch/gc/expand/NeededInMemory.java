package org.anabranch.gc.expand;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.anabranch.gc.FileLocation;
import org.anabranch.gc.NeededFiles;
import org.jspecify.annotations.Nullable;

/** Needed files in plain collections. */
final class NeededInMemory implements NeededFiles {

    private final TreeSet<FileLocation> files = new TreeSet<>();
    private final TreeSet<FileLocation> outside = new TreeSet<>();
    private final Map<String, Reading> readings = new HashMap<>();

    @Override
    public synchronized Map<String, Reading> readings(Collection<String> indexFiles) {
        return indexFiles.stream()
                .distinct()
                .collect(Collectors.toMap(file -> file, file -> readings.getOrDefault(file, new Reading.Open())));
    }

    @Override
    public synchronized void add(String indexFile, @Nullable String referrer, List<FileLocation> added) {
        files.addAll(added);
    }

    @Override
    public synchronized void outside(String metadataFile, Collection<FileLocation> folders) {
        outside.addAll(folders);
    }

    @Override
    public synchronized void ended(String indexFile, Reading reading) {
        readings.put(indexFile, reading);
    }

    synchronized TreeSet<FileLocation> outside() {
        return new TreeSet<>(outside);
    }

    synchronized TreeSet<FileLocation> files() {
        return new TreeSet<>(files);
    }
}
