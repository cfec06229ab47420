package org.anabranch.testing;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.apache.iceberg.io.DelegateFileIO;
import org.apache.iceberg.io.FileInfo;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.OutputFile;

/** A FileIO that counts how often each file is opened for reading, and can be made to fail. */
public final class CountingFileIO implements DelegateFileIO {

    private static final long serialVersionUID = 1L;

    private final transient DelegateFileIO io;
    private final transient Map<String, Integer> opened = new ConcurrentHashMap<>();
    private transient volatile Consumer<String> beforeReading = path -> {};

    public CountingFileIO(DelegateFileIO io) {
        this.io = io;
    }

    /** How often a file was opened. */
    public int opened(String path) {
        return opened.getOrDefault(path, 0);
    }

    /** Forgets what was counted. */
    public void reset() {
        opened.clear();
    }

    /** Runs something before each opening, which fails as that does. */
    public void beforeReading(Consumer<String> action) {
        beforeReading = action;
    }

    @Override
    public InputFile newInputFile(String path) {
        beforeReading.accept(path);
        opened.merge(path, 1, Integer::sum);
        return io.newInputFile(path);
    }

    @Override
    public OutputFile newOutputFile(String path) {
        return io.newOutputFile(path);
    }

    @Override
    public void deleteFile(String path) {
        io.deleteFile(path);
    }

    @Override
    public void deleteFiles(Iterable<String> paths) {
        io.deleteFiles(paths);
    }

    @Override
    public Iterable<FileInfo> listPrefix(String prefix) {
        return io.listPrefix(prefix);
    }

    @Override
    public void deletePrefix(String prefix) {
        io.deletePrefix(prefix);
    }

    @Override
    public Map<String, String> properties() {
        return io.properties();
    }
}
