package org.anabranch.gc.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.iceberg.io.DelegateFileIO;
import org.apache.iceberg.io.FileInfo;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.OutputFile;
import org.junit.jupiter.api.Test;

/** What is made of a storage's listings. */
class StoredFilesTest {

    /** Lists in an order of its own, as directory buckets of S3 do. */
    private static final class Unordered implements DelegateFileIO {

        private static final long serialVersionUID = 1L;

        private final transient List<FileInfo> files;

        Unordered(FileInfo... files) {
            this.files = List.of(files);
        }

        @Override
        public Iterable<FileInfo> listPrefix(String prefix) {
            return files.stream()
                    .filter(file -> file.location().startsWith(prefix))
                    .toList();
        }

        @Override
        public void deletePrefix(String prefix) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void deleteFiles(Iterable<String> paths) {
            throw new UnsupportedOperationException();
        }

        @Override
        public InputFile newInputFile(String path) {
            throw new UnsupportedOperationException();
        }

        @Override
        public OutputFile newOutputFile(String path) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void deleteFile(String path) {
            throw new UnsupportedOperationException();
        }
    }

    private static StoredFiles storage(String... paths) {
        return new StoredFiles(
                new Unordered(Stream.of(paths)
                        .map(path -> new FileInfo(path, path.length(), 0))
                        .toArray(FileInfo[]::new)),
                RequestRate.unlimited());
    }

    @Test
    void aFileIsFoundAmongThoseThatBeginWithItsNameInWhateverOrder() {
        StoredFiles storage = storage("s3://b/t/file-2", "s3://b/t/file", "s3://b/t/file-1");
        assertThat(storage.find("s3://b/t/file"))
                .hasValueSatisfying(file -> assertThat(file.bytes()).isEqualTo("s3://b/t/file".length()));
        assertThat(storage.find("s3://b/t/fil")).isEmpty();
    }

    @Test
    void whatIsNoFileIsNotListed() {
        StoredFiles storage = storage("s3://b/t/", "s3://b/t/x", "s3://b/t/../../../y");
        List<String> listed = new ArrayList<>();
        storage.list("s3://b/t", file -> listed.add(file.path()));
        assertThat(listed).containsExactly("s3://b/t/x");
    }
}
