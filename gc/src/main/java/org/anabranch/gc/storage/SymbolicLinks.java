package org.anabranch.gc.storage;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.anabranch.gc.FileLocation;

/**
 * Where files lie when symbolic links on their way are followed, and what clients of S3 cut off a name: a file that is needed under
 * one name must not go under another. Safe from many threads.
 */
public final class SymbolicLinks {

    private static final int FOLDERS_KEPT = 10_000;

    private final Map<Path, Path> realFolders = new LinkedHashMap<>(16, 0.75f, true) {

        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Path, Path> eldest) {
            return size() > FOLDERS_KEPT;
        }
    };

    /**
     * The locations of the file that a path names: the one that stands there and, if links lead or clients write elsewhere, that one
     * too.
     *
     * @throws IllegalArgumentException if the path is no location
     */
    public List<FileLocation> locations(String path) {
        FileLocation named = FileLocation.parse(path);
        if (!named.scheme().equals("file")) {
            // Iceberg and others write to different keys where a name has a ? or #.
            String key = LakeFileIO.keyOf(path);
            return key.equals(path) ? List.of(named) : List.of(named, FileLocation.parse(key));
        }
        Set<FileLocation> locations = new LinkedHashSet<>(List.of(named));
        locations.add(real(path));
        if (path.indexOf('%') >= 0) {
            // A reader may undo the encoding of what stands there, or not.
            locations.add(real(named.value()));
        }
        return List.copyOf(locations);
    }

    private FileLocation real(String path) {
        return FileLocation.parse(realPath(LocalFileIO.path(path)).toString());
    }

    private Path realPath(Path file) {
        Path folder = file.getParent();
        if (folder == null || LocalFileIO.isLink(file)) {
            return LocalFileIO.withoutLinks(file);
        }
        Path real;
        synchronized (realFolders) {
            real = realFolders.computeIfAbsent(folder, LocalFileIO::withoutLinks);
        }
        return real.resolve(file.getFileName());
    }
}
