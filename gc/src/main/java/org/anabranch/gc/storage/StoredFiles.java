package org.anabranch.gc.storage;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.anabranch.gc.FileDeleter;
import org.anabranch.gc.FileInventory;
import org.anabranch.gc.FileLocation;
import org.anabranch.gc.StoredFile;
import org.apache.iceberg.io.CloseableIterator;
import org.apache.iceberg.io.DelegateFileIO;
import org.apache.iceberg.io.FileInfo;

/** Lists and deletes the files of a storage through Iceberg's FileIO. Safe from many threads. */
public final class StoredFiles implements FileInventory, FileDeleter {

    /** What S3 lists with one request, and what Iceberg deletes with one. */
    private static final int LISTED_PER_REQUEST = 1000;

    private static final int DELETED_PER_REQUEST = 250;

    private final DelegateFileIO io;
    private final RequestRate rate;

    public StoredFiles(DelegateFileIO io, RequestRate rate) {
        this.io = io;
        this.rate = rate;
    }

    /** {@inheritDoc} A folder's own entry, which some clients of S3 write, is no file; nor is one whose name is no location. */
    @Override
    public void list(String folder, Consumer<StoredFile> files) {
        rate.acquire(1);
        try (CloseableIterator<FileInfo> infos = CloseableIterator.withClose(
                io.listPrefix(folder.endsWith("/") ? folder : folder + "/").iterator())) {
            for (int listed = 1; infos.hasNext(); listed++) {
                stored(infos.next()).ifPresent(files);
                if (listed % LISTED_PER_REQUEST == 0) {
                    rate.acquire(1);
                }
            }
        } catch (UncheckedIOException e) {
            throw e;
        } catch (IOException | RuntimeException e) {
            throw new UncheckedIOException(
                    new IOException("The listing of " + folder + " failed: " + e.getMessage(), e));
        }
    }

    @Override
    public Optional<StoredFile> find(String path) {
        rate.acquire(1);
        // Of all that begin with the path, most storages list the shortest first, and that is the file itself.
        try (CloseableIterator<FileInfo> infos =
                CloseableIterator.withClose(io.listPrefix(path).iterator())) {
            while (infos.hasNext()) {
                FileInfo info = infos.next();
                if (info.location().equals(path)) {
                    return stored(info);
                }
            }
            return Optional.empty();
        } catch (UncheckedIOException e) {
            throw e;
        } catch (IOException | RuntimeException e) {
            throw new UncheckedIOException(
                    new IOException("The file " + path + " was not shown: " + e.getMessage(), e));
        }
    }

    @Override
    public String withoutLinks(String folder) {
        return FileLocation.parse(folder).scheme().equals("file")
                ? LocalFileIO.withoutLinks(LocalFileIO.path(folder)).toString()
                : folder;
    }

    @Override
    public List<Failure> delete(Collection<StoredFile> files) {
        rate.acquire((files.size() + DELETED_PER_REQUEST - 1) / DELETED_PER_REQUEST);
        try {
            io.deleteFiles(files.stream().map(StoredFile::path).toList());
            return List.of();
        } catch (RuntimeException e) {
            // Which files are meant, Iceberg does not say.
            return deleteOneByOne(files);
        }
    }

    private List<Failure> deleteOneByOne(Collection<StoredFile> files) {
        List<Failure> failures = new ArrayList<>();
        for (StoredFile file : files) {
            try {
                rate.acquire(1);
                io.deleteFile(file.path());
            } catch (RuntimeException e) {
                failures.add(new Failure(file, String.valueOf(e.getMessage())));
            }
        }
        return failures;
    }

    private static Optional<StoredFile> stored(FileInfo info) {
        if (info.location().endsWith("/")) {
            return Optional.empty();
        }
        try {
            return Optional.of(new StoredFile(
                    FileLocation.parse(info.location()),
                    info.location(),
                    info.size(),
                    Instant.ofEpochMilli(info.createdAtMillis())));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
