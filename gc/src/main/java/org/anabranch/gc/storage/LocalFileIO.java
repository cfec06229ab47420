package org.anabranch.gc.storage;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.anabranch.gc.FileLocation;
import org.apache.iceberg.io.BulkDeletionFailureException;
import org.apache.iceberg.io.DelegateFileIO;
import org.apache.iceberg.io.FileInfo;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.OutputFile;

/**
 * The local file system as Iceberg's FileIO, without Hadoop.
 *
 * <p>A path is taken as it stands; for reading only, and only if there is no such file, its percent-encoding is undone, because
 * clients write both. Listings name files by their plain absolute path, show neither folders nor symbolic links, and
 * enter no linked folder.
 */
public final class LocalFileIO implements DelegateFileIO {

    private static final long serialVersionUID = 1L;

    private static final String SCHEME = "file:";

    @Override
    public InputFile newInputFile(String path) {
        Path literal = path(path);
        if (path.indexOf('%') >= 0 && !Files.exists(literal)) {
            return org.apache.iceberg.Files.localInput(
                    path(FileLocation.parse(path).value()).toFile());
        }
        return org.apache.iceberg.Files.localInput(literal.toFile());
    }

    @Override
    public OutputFile newOutputFile(String path) {
        return org.apache.iceberg.Files.localOutput(path(path).toFile());
    }

    /** Deletes a file or a link, never what a link points at; nothing happens if there is none. */
    @Override
    public void deleteFile(String path) {
        try {
            Files.deleteIfExists(path(path));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void deleteFiles(Iterable<String> paths) {
        int failures = 0;
        for (String path : paths) {
            try {
                deleteFile(path);
            } catch (UncheckedIOException e) {
                failures++;
            }
        }
        if (failures > 0) {
            throw new BulkDeletionFailureException(failures);
        }
    }

    /**
     * As Iceberg defines it, except that the prefix is a folder or, without a slash at its end, the whole name of a file.
     *
     * @throws UncheckedIOException if the folder is a symbolic link: what it leads to would be missing in the list
     */
    @Override
    public Iterable<FileInfo> listPrefix(String path) {
        Path start = path(path);
        if (path.endsWith("/") && isLink(start)) {
            throw new UncheckedIOException(
                    new IOException(start + " is a symbolic link, and those are not followed: give the folder itself"));
        }
        return path.endsWith("/") && !isFolder(start) ? List.of() : () -> new LocalListing(start);
    }

    /** Not offered: files go one by one, each for a reason. */
    @Override
    public void deletePrefix(String folder) {
        throw new UnsupportedOperationException("Deleting a whole folder is not supported");
    }

    @Override
    public Map<String, String> properties() {
        return Map.of();
    }

    /** The path that stands in a text with or without the scheme. */
    static Path path(String text) {
        if (!text.startsWith(SCHEME)) {
            return Path.of(text);
        }
        String path = text.substring(SCHEME.length());
        if (path.startsWith("//")) {
            path = path.substring(Math.max(2, path.indexOf('/', 2)));
        }
        return Path.of(path);
    }

    /** A path without symbolic links in it, as far as it exists. */
    static Path withoutLinks(Path path) {
        Path absolute = path.toAbsolutePath().normalize();
        for (Path existing = absolute; existing != null; existing = existing.getParent()) {
            try {
                return existing.toRealPath().resolve(existing.relativize(absolute));
            } catch (IOException e) {
                // The part above may exist.
            }
        }
        return absolute;
    }

    static boolean isLink(Path file) {
        return Files.isSymbolicLink(file);
    }

    static boolean isFolder(Path path) {
        return Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS);
    }
}
