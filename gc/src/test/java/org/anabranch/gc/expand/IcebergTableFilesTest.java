package org.anabranch.gc.expand;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.anabranch.gc.ContentPointer;
import org.anabranch.gc.FileLocation;
import org.anabranch.gc.TableFiles.Expansion;
import org.anabranch.gc.TableFiles.Metadata;
import org.anabranch.gc.TableFiles.Unreadable;
import org.anabranch.gc.storage.LocalFileIO;
import org.anabranch.testing.CountingFileIO;
import org.anabranch.testing.RealTable;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.ExpireSnapshots;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.view.ImmutableSQLViewRepresentation;
import org.apache.iceberg.view.ImmutableViewVersion;
import org.apache.iceberg.view.ViewMetadata;
import org.apache.iceberg.view.ViewMetadataParser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class IcebergTableFilesTest {

    @TempDir
    private Path lake;

    private final CountingFileIO io = new CountingFileIO(new LocalFileIO());
    private final NeededInMemory needed = new NeededInMemory();

    private RealTable create(int version) {
        return RealTable.create(io, lake + "/t", version, Map.of());
    }

    private Expansion expand(RealTable table, SnapshotScope scope) {
        return expand(table.pointer(), scope);
    }

    private Expansion expand(ContentPointer pointer, SnapshotScope scope) {
        return new IcebergTableFiles(io, scope, needed, path -> List.of(FileLocation.parse(path)), Runnable::run)
                .expand(pointer);
    }

    private Set<FileLocation> onDisk() {
        try (Stream<Path> files = Files.walk(lake)) {
            return files.filter(Files::isRegularFile)
                    .map(file -> FileLocation.parse(file.toString()))
                    .collect(Collectors.toSet());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void everyFileOfATableThatLostNothingIsNeeded(int version) {
        RealTable full = create(version);
        DataFile first = full.append(1, 2);
        full.append(3, 4);
        if (version == 2) {
            full.deleteFirstRow(first);
            full.deleteId(3);
        }
        if (version == 3) {
            full.deleteFirstRowByVector(first);
        }
        full.addStatistics();
        full.addPartitionStatistics();
        full.table()
                .manageSnapshots()
                .createTag("kept", full.table().currentSnapshot().snapshotId())
                .commit();
        full.table().rewriteManifests().clusterBy(file -> 0).commit();

        Expansion expansion = expand(full, SnapshotScope.ALL);

        assertThat(expansion.unreadable()).isEmpty();
        assertThat(expansion.locations()).containsExactly(lake + "/t");
        assertThat(needed.files()).isEqualTo(onDisk());
    }

    @Test
    void everyLiveSnapshotIsNeededOrOnlyTheRecordedOne() {
        RealTable table = create(2);
        DataFile replaced = table.append(1);
        DataFile current = table.writeData(2);
        table.table().newOverwrite().deleteFile(replaced).addFile(current).commit();

        expand(table, SnapshotScope.RECORDED);
        assertThat(needed.files()).contains(location(current.location())).doesNotContain(location(replaced.location()));

        NeededInMemory all = new NeededInMemory();
        new IcebergTableFiles(io, SnapshotScope.ALL, all, path -> List.of(location(path)), Runnable::run)
                .expand(table.pointer());
        assertThat(all.files()).contains(location(current.location()), location(replaced.location()));
    }

    @Test
    void filesOfExpiredSnapshotsAreNotNeeded() {
        RealTable table = create(2);
        DataFile replaced = table.append(1);
        DataFile current = table.writeData(2);
        table.table().newOverwrite().deleteFile(replaced).addFile(current).commit();
        table.table()
                .expireSnapshots()
                .expireSnapshotId(table.table().currentSnapshot().parentId())
                .cleanupLevel(ExpireSnapshots.CleanupLevel.NONE)
                .commit();

        assertThat(expand(table, SnapshotScope.ALL).unreadable()).isEmpty();
        assertThat(needed.files()).contains(location(current.location())).doesNotContain(location(replaced.location()));
    }

    @Test
    void aManifestIsReadOnceHoweverManySnapshotsAndMetadataFilesShareIt() {
        RealTable table = create(2);
        table.append(1);
        ContentPointer older = table.pointer();
        table.append(2);
        List<String> indexFiles = new ArrayList<>();
        table.table().snapshots().forEach(snapshot -> {
            indexFiles.add(snapshot.manifestListLocation());
            snapshot.allManifests(io).forEach(manifest -> indexFiles.add(manifest.path()));
        });
        io.reset();

        expand(older, SnapshotScope.ALL);
        expand(table, SnapshotScope.ALL);

        assertThat(indexFiles.stream().distinct())
                .hasSize(4)
                .allSatisfy(file -> assertThat(io.opened(file)).as(file).isEqualTo(1));
    }

    @ParameterizedTest
    @EnumSource
    void whatIsMissingOrDamagedIsReportedAndTheRestIsNamed(Damage damage) throws IOException {
        RealTable table = create(2);
        DataFile first = table.append(1);
        DataFile second = table.append(2);
        Snapshot damaged = table.table().snapshots().iterator().next();
        String list = damaged.manifestListLocation();
        damage.to(list);

        Expansion expansion = expand(table, SnapshotScope.ALL);

        assertThat(expansion.unreadable())
                .extracting(Unreadable::path, Unreadable::cause)
                .containsExactly(tuple(list, damage.cause));
        assertThat(expansion.locations()).containsExactly(lake + "/t");
        // The younger snapshot has the manifest too.
        assertThat(needed.files()).contains(location(first.location()), location(second.location()), location(list));
    }

    @ParameterizedTest
    @EnumSource
    void aDamagedManifestIsReportedForEveryContentThatSharesIt(Damage damage) throws IOException {
        RealTable table = create(2);
        table.append(1);
        ContentPointer older = table.pointer();
        String manifest =
                table.table().currentSnapshot().allManifests(io).get(0).path();
        table.append(2);
        damage.to(manifest);

        assertThat(expand(older, SnapshotScope.ALL).unreadable())
                .extracting(Unreadable::path)
                .containsOnly(manifest);
        assertThat(expand(table, SnapshotScope.ALL).unreadable())
                .extracting(Unreadable::path)
                .containsOnly(manifest);
    }

    @ParameterizedTest
    @EnumSource
    void ofUnreadableMetadataTheFolderIsKnownByCustom(Damage damage) throws IOException {
        RealTable table = create(2);
        table.append(1);
        ContentPointer pointer = table.pointer();
        damage.to(pointer.metadataLocation());

        assertThat(expand(pointer, SnapshotScope.ALL))
                .isEqualTo(new Expansion(
                        Metadata.UNREADABLE,
                        List.of(lake + "/t"),
                        expand(pointer, SnapshotScope.ALL).unreadable()))
                .satisfies(expansion -> assertThat(expansion.unreadable())
                        .extracting(Unreadable::cause)
                        .containsExactly(damage.cause));
        assertThat(needed.files()).isEmpty();
    }

    private enum Damage {
        MISSING(Unreadable.Cause.MISSING) {
            @Override
            void to(String path) throws IOException {
                Files.delete(Path.of(path));
            }
        },
        CUT(Unreadable.Cause.UNUSABLE) {
            @Override
            void to(String path) throws IOException {
                byte[] bytes = Files.readAllBytes(Path.of(path));
                Files.write(Path.of(path), Arrays.copyOf(bytes, bytes.length / 2));
            }
        },
        OTHER_BYTES(Unreadable.Cause.UNUSABLE) {
            @Override
            void to(String path) throws IOException {
                Files.writeString(Path.of(path), "not what Iceberg writes");
            }
        };

        private final Unreadable.Cause cause;

        Damage(Unreadable.Cause cause) {
            this.cause = cause;
        }

        abstract void to(String path) throws IOException;
    }

    @Test
    void aManifestThatWasCutBetweenTwoBlocksIsDamaged() throws IOException {
        RealTable table = create(2);
        table.append(1);
        Path manifest =
                Path.of(table.table().currentSnapshot().allManifests(io).get(0).path());
        cutToItsHeader(manifest);

        assertThat(expand(table, SnapshotScope.ALL).unreadable())
                .extracting(Unreadable::path, Unreadable::reason)
                .containsExactly(
                        tuple(manifest.toString(), "it has 0 files, and 1 according to the snapshots that list it"));
    }

    /** An Avro file's header ends with the first of the marks that also end each block. */
    private static void cutToItsHeader(Path avro) throws IOException {
        byte[] bytes = Files.readAllBytes(avro);
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        String mark = text.substring(text.length() - 16);
        Files.write(avro, Arrays.copyOf(bytes, text.indexOf(mark) + 16));
    }

    @Test
    void aSnapshotThatTheMetadataDoesNotHaveIsReported() {
        RealTable table = create(2);
        table.append(1);
        ContentPointer pointer = new ContentPointer(ContentPointer.Kind.ICEBERG_TABLE, table.metadata(), 4711);

        assertThat(expand(pointer, SnapshotScope.ALL).unreadable())
                .extracting(Unreadable::reason)
                .containsExactly("it does not have the snapshot 4711 that the catalog records");
    }

    @Test
    void laterFormatsAndEncryptedTablesAreReportedInsteadOfGuessed() throws IOException {
        RealTable table = create(3);
        table.append(1);
        Path metadata = Path.of(table.metadata());
        String json = Files.readString(metadata);
        ContentPointer pointer = table.pointer();

        Files.writeString(metadata, json.replaceFirst("\"format-version\" *: *3", "\"format-version\":4"));
        assertThat(expand(pointer, SnapshotScope.ALL).unreadable())
                .extracting(Unreadable::reason)
                .containsExactly("its format version 4 is later than the last known, 3");

        Files.writeString(
                metadata, json.replaceFirst("\"properties\" *: *\\{", "\"properties\":{\"encryption.key-id\":\"k\","));
        assertThat(expand(pointer, SnapshotScope.ALL).unreadable())
                .extracting(Unreadable::reason)
                .containsExactly("the table is encrypted");

        Files.writeString(metadata, json.replaceFirst("\"format-version\" *: *3", "\"format-version\":99"));
        assertThat(expand(pointer, SnapshotScope.ALL).unreadable())
                .extracting(Unreadable::cause)
                .containsExactly(Unreadable.Cause.UNUSABLE);
    }

    @Test
    void compressedMetadataIsRead() {
        RealTable table = RealTable.create(io, lake + "/t", 2, Map.of("write.metadata.compression-codec", "gzip"));
        table.append(1);

        assertThat(table.metadata()).endsWith(".gz.metadata.json");
        assertThat(expand(table, SnapshotScope.ALL).unreadable()).isEmpty();
        assertThat(needed.files()).isEqualTo(onDisk());
    }

    @Test
    void manifestsThatAVersion1SnapshotListsItselfAreRead() throws IOException {
        RealTable table = create(1);
        DataFile data = table.append(1);
        Snapshot snapshot = table.table().currentSnapshot();
        String manifest = snapshot.allManifests(io).get(0).path();
        Path metadata = Path.of(table.metadata());
        Files.writeString(
                metadata,
                Files.readString(metadata)
                        .replaceFirst("\"manifest-list\" *: *\"[^\"]*\"", "\"manifests\":[\"" + manifest + "\"]"));

        assertThat(expand(table.pointer(), SnapshotScope.ALL).unreadable()).isEmpty();
        assertThat(needed.files())
                .contains(location(manifest), location(data.location()))
                .doesNotContain(location(snapshot.manifestListLocation()));
    }

    @Test
    void theFoldersThatPropertiesNameAreClaimedToo() {
        RealTable table = RealTable.create(
                io, lake + "/t", 2, Map.of("write.data.path", lake + "/data", "write.metadata.path", lake + "/meta"));
        DataFile data = table.append(1);

        assertThat(data.location()).startsWith(lake + "/data/");
        assertThat(expand(table, SnapshotScope.ALL).locations())
                .containsExactly(lake + "/t", lake + "/data", lake + "/meta");
        assertThat(needed.files()).isEqualTo(onDisk());
    }

    @Test
    void foldersThatHoldFilesWithoutBeingClaimedAreTold() {
        RealTable table = create(2);
        DataFile guest = table.writeData(lake + "/elsewhere/x.avro", 1);
        table.table().newAppend().appendFile(guest).commit();
        table.append(2);

        assertThat(expand(table, SnapshotScope.ALL).unreadable()).isEmpty();
        assertThat(needed.files()).contains(location(guest.location()));
        assertThat(needed.outside()).containsExactly(location(lake + "/elsewhere"));
    }

    @Test
    void aViewNeedsItsMetadataFile() {
        String path = lake + "/v/metadata/v1.metadata.json";
        ViewMetadata view = ViewMetadata.builder()
                .setLocation(lake + "/v")
                .addSchema(RealTable.SCHEMA)
                .addVersion(ImmutableViewVersion.builder()
                        .versionId(1)
                        .schemaId(0)
                        .timestampMillis(1)
                        .defaultNamespace(Namespace.of("n"))
                        .addRepresentations(ImmutableSQLViewRepresentation.builder()
                                .sql("select 1")
                                .dialect("any")
                                .build())
                        .build())
                .setCurrentVersionId(1)
                .build();
        ViewMetadataParser.write(view, io.newOutputFile(path));

        Expansion expansion = expand(new ContentPointer(ContentPointer.Kind.ICEBERG_VIEW, path, 1), SnapshotScope.ALL);

        assertThat(expansion).isEqualTo(new Expansion(Metadata.READ, List.of(lake + "/v"), List.of()));
        assertThat(needed.files()).isEqualTo(onDisk());
    }

    @Test
    void lookingUpTheFoldersNamesNoFile() {
        RealTable table = create(2);
        table.append(1);

        Expansion expansion = new IcebergTableFiles(
                        io, SnapshotScope.ALL, needed, path -> List.of(location(path)), Runnable::run)
                .locate(table.pointer());

        assertThat(expansion).isEqualTo(new Expansion(Metadata.READ, List.of(lake + "/t"), List.of()));
        assertThat(needed.files()).isEmpty();
    }

    private static FileLocation location(String path) {
        return FileLocation.parse(path);
    }
}
