package org.anabranch.cli.gc.laws;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import org.apache.iceberg.Files;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.OutputFile;
import org.apache.iceberg.io.PositionOutputStream;
import org.apache.iceberg.io.SeekableInputStream;

/**
 * The local disk as Iceberg sees it, through the JDK alone: Hadoop's file system would lay a checksum file beside
 * every file.
 *
 * <p>A location is a path, or a path behind {@code file:}; nothing in it is decoded. Files call themselves what
 * their users call them, so that tables record the very text of a location.
 */
public final class LocalFiles implements FileIO {

    private static final long serialVersionUID = 1;

    /** The file that a location names. */
    static Path path(String location) {
        String path = location.startsWith("file:") ? location.substring("file:".length()) : location;
        return Path.of(path).normalize();
    }

    @Override
    public InputFile newInputFile(String location) {
        return new In(Files.localInput(file(location)), location);
    }

    @Override
    public OutputFile newOutputFile(String location) {
        return new Out(Files.localOutput(file(location)), location);
    }

    @Override
    public void deleteFile(String location) {
        try {
            java.nio.file.Files.delete(path(location));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static File file(String location) {
        return path(location).toFile();
    }

    private record In(InputFile file, String location) implements InputFile {

        @Override
        public long getLength() {
            return file.getLength();
        }

        @Override
        public SeekableInputStream newStream() {
            return file.newStream();
        }

        @Override
        public boolean exists() {
            return file.exists();
        }
    }

    private record Out(OutputFile file, String location) implements OutputFile {

        @Override
        public PositionOutputStream create() {
            return file.create();
        }

        @Override
        public PositionOutputStream createOrOverwrite() {
            return file.createOrOverwrite();
        }

        @Override
        public InputFile toInputFile() {
            return new In(file.toInputFile(), location);
        }
    }
}
