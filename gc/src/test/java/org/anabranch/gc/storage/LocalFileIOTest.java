package org.anabranch.gc.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.anabranch.gc.FileDeleter.Failure;
import org.anabranch.gc.FileLocation;
import org.anabranch.gc.StoredFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalFileIOTest {

    @TempDir
    private Path folder;

    private final StoredFiles files = new StoredFiles(new LocalFileIO(), RequestRate.unlimited());

    private Path write(String name) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, "six by");
    }

    private List<StoredFile> list(String path) {
        List<StoredFile> listed = new ArrayList<>();
        files.list(path, listed::add);
        return listed;
    }

    private static StoredFile stored(Path file) throws IOException {
        Instant modified = Files.getLastModifiedTime(file).toInstant().truncatedTo(ChronoUnit.MILLIS);
        return new StoredFile(FileLocation.parse(file.toString()), file.toString(), 6, modified);
    }

    @Test
    void allFilesBelowAFolderAreListedByTheirPlainPath() throws IOException {
        StoredFile first = stored(write("t/x"));
        StoredFile second = stored(write("t/a b/c%20d/y"));
        write("t2/z");

        assertThat(list(folder + "/t")).containsExactlyInAnyOrder(first, second);
        assertThat(list("file:" + folder + "/t/")).containsExactlyInAnyOrder(first, second);
        assertThat(list(folder + "/none")).isEmpty();
        assertThat(list(folder + "/t/x")).isEmpty();
    }

    @Test
    void linksAreNotListedAndNotEntered() throws IOException {
        write("elsewhere/x");
        Files.createDirectory(folder.resolve("t"));
        Files.createSymbolicLink(folder.resolve("t/folder"), folder.resolve("elsewhere"));
        Files.createSymbolicLink(folder.resolve("t/file"), folder.resolve("elsewhere/x"));

        assertThat(list(folder + "/t")).isEmpty();
        assertThatThrownBy(() -> list(folder + "/t/folder"))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("/t/folder is a symbolic link");
    }

    @Test
    void deletingTellsWhatIsStillThere() throws IOException {
        StoredFile gone = stored(write("t/x"));
        StoredFile absent = new StoredFile(gone.location(), folder + "/t/absent", 1, gone.modifiedAt());
        write("t/full/y");
        StoredFile full = new StoredFile(gone.location(), folder + "/t/full", 1, gone.modifiedAt());

        assertThat(files.delete(List.of(gone, absent, full)))
                .extracting(Failure::file)
                .containsExactly(full);
        assertThat(folder.resolve("t/x")).doesNotExist();
    }

    @Test
    void percentEncodingIsUndoneForReadingOnly() throws IOException {
        Path file = write("a b/x");
        String encoded = folder + "/a%20b/x";

        assertThat(new LocalFileIO().newInputFile("file:" + encoded).exists()).isTrue();
        new LocalFileIO().deleteFile(encoded);
        assertThat(file).exists();
        write("a%20b/x");
        assertThat(new LocalFileIO().newInputFile(encoded).location()).isEqualTo(encoded);
    }

    @Test
    void aPathKeepsItsNameBehindALinkAndHasItsRealOne() throws IOException {
        Path real = folder.toRealPath();
        Path file = write("t/x");
        Files.createSymbolicLink(folder.resolve("folder"), folder.resolve("t"));
        Files.createSymbolicLink(folder.resolve("file"), file);
        SymbolicLinks links = new SymbolicLinks();
        FileLocation behind = FileLocation.parse(real + "/t/x");

        assertThat(links.locations(folder + "/folder/x")).contains(FileLocation.parse(folder + "/folder/x"), behind);
        assertThat(links.locations(folder + "/file")).contains(FileLocation.parse(folder + "/file"), behind);
        assertThat(links.locations(real + "/t/x")).containsExactly(behind);
        assertThat(links.locations("s3://b/x")).containsExactly(FileLocation.parse("s3://b/x"));
    }

    @Test
    void aFolderThatCannotBeReadFailsTheListing() throws IOException {
        write("t/x");
        LocalFileIO broken = new LocalFileIO();
        // A name that no file system takes.
        assertThatThrownBy(() -> new StoredFiles(broken, RequestRate.unlimited()).list("/\0", file -> {}))
                .isInstanceOf(UncheckedIOException.class);
    }

    @Test
    void otherSchemesAreRefusedByName() {
        LakeFileIO lake = new LakeFileIO(Map.of(), RequestRate.unlimited());
        assertThatThrownBy(() -> lake.newInputFile("gs://b/x"))
                .isInstanceOf(LakeFileIO.UnsupportedSchemeException.class)
                .hasMessageContaining("'gs'");
    }

    @Test
    void requestsAreSpreadEvenly() {
        long[] now = {0};
        RequestRate rate = RequestRate.perSecond(10, () -> now[0]);

        assertThat(rate.reserve(1)).isZero();
        assertThat(rate.reserve(2)).isEqualTo(100_000_000);
        assertThat(rate.reserve(1)).isEqualTo(300_000_000);
        now[0] = 1_000_000_000;
        assertThat(rate.reserve(1)).isZero();
        assertThatThrownBy(() -> RequestRate.perSecond(0, () -> 0)).isInstanceOf(IllegalArgumentException.class);
    }
}
