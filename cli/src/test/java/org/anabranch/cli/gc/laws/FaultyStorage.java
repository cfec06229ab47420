package org.anabranch.cli.gc.laws;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import org.apache.iceberg.exceptions.RuntimeIOException;
import org.apache.iceberg.io.BulkDeletionFailureException;
import org.apache.iceberg.io.DelegateFileIO;
import org.apache.iceberg.io.FileInfo;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.OutputFile;
import org.apache.iceberg.io.SeekableInputStream;

/** A storage that sometimes fails: at opening a file, in the middle of a listing, before, amid or after a deletion. */
final class FaultyStorage implements DelegateFileIO {

    private static final long serialVersionUID = 1;

    private final transient DelegateFileIO storage;
    private final transient Random random;
    private final int oneIn;
    private boolean healthy;
    private int operations;
    private int failing;
    private int faults;

    /** @param oneIn of so many operations one fails, whichever */
    FaultyStorage(DelegateFileIO storage, Random random, int oneIn) {
        this.storage = storage;
        this.random = random;
        this.oneIn = oneIn;
    }

    /** Ends all faults. */
    synchronized void heal() {
        healthy = true;
    }

    /** How many operations failed so far. */
    synchronized int faults() {
        return faults;
    }

    private synchronized boolean fails() {
        int place = operations++ % oneIn;
        if (place == 0) {
            failing = random.nextInt(oneIn);
        }
        boolean isFault = !healthy && place == failing;
        faults += isFault ? 1 : 0;
        return isFault;
    }

    private void failSometimes(String what) {
        if (fails()) {
            throw new RuntimeIOException(new IOException("injected"), "injected while %s", what);
        }
    }

    @Override
    public InputFile newInputFile(String path) {
        return new FaultyInput(storage.newInputFile(path));
    }

    @Override
    public InputFile newInputFile(String path, long length) {
        return new FaultyInput(storage.newInputFile(path, length));
    }

    @Override
    public OutputFile newOutputFile(String path) {
        throw new UnsupportedOperationException(
                "a collector writes no file of a lake, and here it would write " + path);
    }

    @Override
    public Iterable<FileInfo> listPrefix(String prefix) {
        failSometimes("beginning to list " + prefix);
        Iterator<FileInfo> files = storage.listPrefix(prefix).iterator();
        return () -> new Iterator<>() {
            @Override
            public boolean hasNext() {
                failSometimes("listing " + prefix);
                return files.hasNext();
            }

            @Override
            public FileInfo next() {
                return files.next();
            }
        };
    }

    @Override
    public void deleteFile(String path) {
        failSometimes("beginning to delete " + path);
        storage.deleteFile(path);
        failSometimes("ending to delete " + path);
    }

    @Override
    public void deleteFiles(Iterable<String> paths) throws BulkDeletionFailureException {
        failSometimes("beginning to delete many files");
        List<String> rest = new ArrayList<>();
        int failures = 0;
        for (String path : paths) {
            if (fails()) {
                failures++;
            } else {
                rest.add(path);
            }
        }
        storage.deleteFiles(rest);
        if (failures > 0) {
            throw new BulkDeletionFailureException(failures);
        }
        failSometimes("ending to delete many files");
    }

    @Override
    public void deletePrefix(String prefix) {
        throw new UnsupportedOperationException("a collector deletes no folder, and here it would delete " + prefix);
    }

    /** A file that sometimes cannot be opened. */
    private final class FaultyInput implements InputFile {

        private final InputFile file;

        private FaultyInput(InputFile file) {
            this.file = file;
        }

        @Override
        public long getLength() {
            return file.getLength();
        }

        @Override
        public SeekableInputStream newStream() {
            failSometimes("opening " + file.location());
            return file.newStream();
        }

        @Override
        public String location() {
            return file.location();
        }

        @Override
        public boolean exists() {
            return file.exists();
        }
    }
}
