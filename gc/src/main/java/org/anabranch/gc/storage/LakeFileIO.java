package org.anabranch.gc.storage;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.anabranch.gc.FileLocation;
import org.apache.iceberg.io.BulkDeletionFailureException;
import org.apache.iceberg.io.DelegateFileIO;
import org.apache.iceberg.io.FileInfo;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.OutputFile;
import org.jspecify.annotations.Nullable;

/**
 * The storages of the lake behind one FileIO: local files and S3, by the scheme of each path. S3 is first spoken to when the first of
 * its paths comes. Of no use after serialization.
 *
 * <p>Every method throws {@link UnsupportedSchemeException} for another scheme, and {@link UnusableStorageException} for S3 without
 * a region or credentials.
 */
public final class LakeFileIO implements DelegateFileIO {

    private static final long serialVersionUID = 1L;

    private static final Pattern NO_KEY = Pattern.compile("[?#].*$", Pattern.DOTALL);

    private final transient Map<String, String> properties;
    private final transient RequestRate reads;
    private final LocalFileIO local = new LocalFileIO();
    private transient volatile @Nullable DelegateFileIO s3;
    private transient @Nullable UnusableStorageException s3Failure;

    /**
     * @param properties of Iceberg's S3FileIO, such as {@code s3.endpoint} and {@code client.region}
     * @param reads of files, each one request
     */
    public LakeFileIO(Map<String, String> properties, RequestRate reads) {
        this.properties = Map.copyOf(properties);
        this.reads = reads;
    }

    /** No storage of this program serves the scheme. */
    public static final class UnsupportedSchemeException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private UnsupportedSchemeException(String path, String scheme) {
            super("Files of the scheme '" + scheme + "' cannot be read, only local ones and those of s3: " + path);
        }
    }

    /** A storage is not set up so that it could be asked for anything. The message says what to do. */
    public static final class UnusableStorageException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        UnusableStorageException(String message, Throwable cause) {
            super(message, cause);
        }
    }

    /** Sees to it that the storage of a path can be asked at all; does not ask it. */
    public void require(String path) {
        storage(path);
    }

    @Override
    public InputFile newInputFile(String path) {
        reads.acquire(1);
        return storage(path).newInputFile(path);
    }

    @Override
    public InputFile newInputFile(String path, long length) {
        reads.acquire(1);
        return storage(path).newInputFile(path, length);
    }

    @Override
    public OutputFile newOutputFile(String path) {
        return storage(path).newOutputFile(path);
    }

    /** {@inheritDoc} Refuses names on S3 of which Iceberg would delete another one: it takes what follows a ? or # for no part of a key. */
    @Override
    public void deleteFile(String path) {
        requireWholeKey(path);
        storage(path).deleteFile(path);
    }

    @Override
    public void deleteFiles(Iterable<String> paths) {
        Map<DelegateFileIO, List<String>> byStorage = new HashMap<>();
        for (String path : paths) {
            requireWholeKey(path);
            byStorage
                    .computeIfAbsent(storage(path), storage -> new ArrayList<>())
                    .add(path);
        }
        int failures = 0;
        for (Map.Entry<DelegateFileIO, List<String>> entry : byStorage.entrySet()) {
            try {
                entry.getKey().deleteFiles(entry.getValue());
            } catch (BulkDeletionFailureException e) {
                failures += e.numberFailedObjects();
            }
        }
        if (failures > 0) {
            throw new BulkDeletionFailureException(failures);
        }
    }

    @Override
    public Iterable<FileInfo> listPrefix(String prefix) {
        return storage(prefix).listPrefix(prefix);
    }

    @Override
    public void deletePrefix(String prefix) {
        storage(prefix).deletePrefix(prefix);
    }

    @Override
    public Map<String, String> properties() {
        return properties;
    }

    @Override
    public void close() {
        DelegateFileIO opened = s3;
        if (opened != null) {
            opened.close();
        }
    }

    private static void requireWholeKey(String path) {
        if (!keyOf(path).equals(path)) {
            throw new IllegalArgumentException("The name has a ? or #, and Iceberg would delete " + keyOf(path)
                    + " in its place. Delete it by other means: " + path);
        }
    }

    /** What Iceberg reads, writes and deletes when it is given a path: on S3, what comes before the first ? or #. */
    static String keyOf(String path) {
        return path.startsWith("/") || FileLocation.parse(path).scheme().equals("file")
                ? path
                : NO_KEY.matcher(path).replaceFirst("");
    }

    private DelegateFileIO storage(String path) {
        String scheme = FileLocation.parse(path).scheme();
        return switch (scheme) {
            case "file" -> local;
            case "s3" -> s3();
            default -> throw new UnsupportedSchemeException(path, scheme);
        };
    }

    private DelegateFileIO s3() {
        DelegateFileIO opened = s3;
        if (opened == null) {
            synchronized (this) {
                opened = s3;
                if (opened == null) {
                    s3 = opened = openS3();
                }
            }
        }
        return opened;
    }

    /** Where credentials are looked for takes seconds, and a lake has many files. */
    private DelegateFileIO openS3() {
        if (s3Failure != null) {
            throw s3Failure;
        }
        try {
            return S3Storage.open(properties);
        } catch (UnusableStorageException e) {
            s3Failure = e;
            throw e;
        }
    }
}
