package org.anabranch.cli.gc.laws;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.UUID;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.ExpireSnapshots;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.GenericStatisticsFile;
import org.apache.iceberg.HasTableOperations;
import org.apache.iceberg.ImmutableGenericPartitionStatisticsFile;
import org.apache.iceberg.OverwriteFiles;
import org.apache.iceberg.RewriteFiles;
import org.apache.iceberg.RowDelta;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableUtil;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.io.OutputFile;
import org.apache.iceberg.io.PositionOutputStream;
import org.apache.iceberg.puffin.Blob;
import org.apache.iceberg.puffin.Puffin;
import org.apache.iceberg.puffin.PuffinWriter;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.util.ContentFileUtil;
import org.projectnessie.model.IcebergTable;

/** Random changes to Iceberg tables, each one Iceberg commit; keeps the rows that every snapshot must have. */
final class TableChanges {

    private static final int MAX_ROWS_PER_FILE = 3;

    /** One kind of change; it says whether it did anything to the table. */
    private interface Change {
        boolean apply(Table table, SortedSet<Long> rows);
    }

    private final Random random;
    private final Revival revival;
    private final RowFiles files;
    private final Map<Long, SortedSet<Long>> rowsBySnapshot = new HashMap<>();
    private final List<Map.Entry<String, Change>> changes = new ArrayList<>();
    private long lastRow;

    /** @param revival is asked before a snapshot becomes the current one again */
    TableChanges(Random random, Revival revival) {
        this.random = random;
        this.revival = revival;
        this.files = new RowFiles(random);
        kind(6, "append", this::append);
        kind(5, "delete rows", this::deleteRows);
        kind(2, "delete rows by number", this::deleteByNumber);
        kind(3, "rewrite data files", this::rewriteFiles);
        kind(2, "rewrite manifests", this::rewriteManifests);
        kind(3, "expire snapshots", this::expireSnapshots);
        kind(2, "statistics", this::setStatistics);
        kind(1, "partition statistics", this::setPartitionStatistics);
        kind(1, "delete all rows", this::deleteAll);
        kind(1, "append without publishing", this::stageAppend);
        kind(1, "name a snapshot", this::nameSnapshot);
        kind(2, "roll back", this::rollBack);
        kind(1, "add a column", this::addColumn);
        kind(1, "newer format", this::upgrade);
    }

    private void kind(int weight, String name, Change change) {
        for (int i = 0; i < weight; i++) {
            changes.add(Map.entry(name, change));
        }
    }

    /** The rows of a snapshot, by its id; null when it was not made here. */
    SortedSet<Long> rows(long snapshotId) {
        return rowsBySnapshot.get(snapshotId);
    }

    /** Does one random change and returns what it was. */
    String applyAny(Table table) {
        Map.Entry<String, Change> kind = changes.get(random.nextInt(changes.size()));
        boolean changed = kind.getValue().apply(table, currentRows(table));
        return kind.getKey() + (changed ? "" : " (nothing to do)");
    }

    /** Appends one or two files of new rows. */
    boolean append(Table table, SortedSet<Long> rows) {
        List<DataFile> added = new ArrayList<>();
        for (int i = random.nextInt(2); i >= 0; i--) {
            added.add(files.write(table, newRows()));
        }
        appendWritten(table, added);
        return true;
    }

    /** Appends new rows to a table. */
    void append(Table table) {
        append(table, currentRows(table));
    }

    /** Writes a file of new rows, without telling the table. */
    DataFile write(Table table) {
        return files.write(table, newRows());
    }

    /** Appends files that were written before. */
    void appendWritten(Table table, List<DataFile> added) {
        SortedSet<Long> rows = currentRows(table);
        var append = random.nextBoolean() ? table.newAppend() : table.newFastAppend();
        added.forEach(file -> {
            append.appendFile(file);
            rows.addAll(files.rows(file.location()));
        });
        append.commit();
        record(table, rows);
    }

    /** Leaves what a writer leaves that dies before it commits: a data file, a manifest and a manifest list. */
    void appendAndDie(Table table) {
        table.newAppend().appendFile(write(table)).apply();
    }

    private boolean deleteRows(Table table, SortedSet<Long> rows) {
        int format = TableUtil.formatVersion(table);
        List<FileScanTask> tasks = tasks(table).stream()
                .filter(task -> !visibleRows(task, rows).isEmpty())
                .filter(task -> format < 3 || task.deletes().isEmpty())
                .toList();
        if (tasks.isEmpty()) {
            return false;
        }
        DataFile file = any(tasks).file();
        Collection<Long> deleted = some(visibleRows(file, rows));
        rows.removeAll(deleted);
        if (format == 1 || random.nextInt(3) == 0) {
            OverwriteFiles overwrite = table.newOverwrite().deleteFile(file);
            Collection<Long> rest = visibleRows(file, rows);
            if (!rest.isEmpty()) {
                overwrite.addFile(files.write(table, rest));
            }
            overwrite.commit();
        } else {
            RowDelta delta = table.newRowDelta()
                    .validateFromSnapshot(table.currentSnapshot().snapshotId());
            if (format == 2) {
                delta.addDeletes(files.writePositionDeletes(table, file, deleted));
            } else {
                files.writeDeletionVectors(table, Map.of(file, deleted)).forEach(delta::addDeletes);
            }
            delta.commit();
        }
        record(table, rows);
        return true;
    }

    private boolean deleteByNumber(Table table, SortedSet<Long> rows) {
        if (TableUtil.formatVersion(table) == 1 || rows.isEmpty()) {
            return false;
        }
        Collection<Long> deleted = some(rows);
        table.newRowDelta()
                .addDeletes(files.writeEqualityDeletes(table, deleted))
                .commit();
        rows.removeAll(deleted);
        record(table, rows);
        return true;
    }

    private boolean rewriteFiles(Table table, SortedSet<Long> rows) {
        List<FileScanTask> tasks = tasks(table);
        if (tasks.isEmpty()) {
            return false;
        }
        SortedSet<Long> kept = new TreeSet<>();
        RewriteFiles rewrite =
                table.newRewrite().validateFromSnapshot(table.currentSnapshot().snapshotId());
        for (FileScanTask task : some(tasks)) {
            kept.addAll(visibleRows(task, rows));
            rewrite.deleteFile(task.file());
            task.deletes().stream().filter(ContentFileUtil::isDV).forEach(rewrite::deleteFile);
        }
        if (!kept.isEmpty()) {
            rewrite.addFile(files.write(table, kept));
        }
        rewrite.commit();
        record(table, rows);
        return true;
    }

    private boolean rewriteManifests(Table table, SortedSet<Long> rows) {
        if (table.currentSnapshot() == null) {
            return false;
        }
        table.rewriteManifests().clusterBy(file -> "all").commit();
        record(table, rows);
        return true;
    }

    private boolean expireSnapshots(Table table, SortedSet<Long> rows) {
        if (table.currentSnapshot() == null) {
            return false;
        }
        table.expireSnapshots()
                .expireOlderThan(Long.MAX_VALUE)
                .retainLast(1 + random.nextInt(2))
                .cleanupLevel(ExpireSnapshots.CleanupLevel.NONE)
                .commit();
        return true;
    }

    private boolean setStatistics(Table table, SortedSet<Long> rows) {
        Snapshot snapshot = table.currentSnapshot();
        if (snapshot == null) {
            return false;
        }
        OutputFile file = table.io().newOutputFile(metadataFile(table, "statistics-", ".puffin"));
        PuffinWriter writer =
                Puffin.write(file).createdBy("the laws of garbage collection").build();
        try (writer) {
            writer.add(new Blob(
                    "a-number-of-rows",
                    List.of(1),
                    snapshot.snapshotId(),
                    snapshot.sequenceNumber(),
                    ByteBuffer.wrap(Integer.toString(rows.size()).getBytes(StandardCharsets.UTF_8))));
            writer.finish();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        table.updateStatistics()
                .setStatistics(new GenericStatisticsFile(
                        snapshot.snapshotId(), file.location(), writer.fileSize(), writer.footerSize(), List.of()))
                .commit();
        return true;
    }

    private boolean setPartitionStatistics(Table table, SortedSet<Long> rows) {
        Snapshot snapshot = table.currentSnapshot();
        if (snapshot == null) {
            return false;
        }
        byte[] content = ("rows: " + rows.size()).getBytes(StandardCharsets.UTF_8);
        OutputFile file = table.io().newOutputFile(metadataFile(table, "partitions-", ".avro"));
        try (PositionOutputStream stream = file.create()) {
            stream.write(content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        table.updatePartitionStatistics()
                .setPartitionStatistics(ImmutableGenericPartitionStatisticsFile.builder()
                        .snapshotId(snapshot.snapshotId())
                        .path(file.location())
                        .fileSizeInBytes(content.length)
                        .build())
                .commit();
        return true;
    }

    private boolean deleteAll(Table table, SortedSet<Long> rows) {
        if (table.currentSnapshot() == null) {
            return false;
        }
        table.newDelete().deleteFromRowFilter(Expressions.alwaysTrue()).commit();
        record(table, new TreeSet<>());
        return true;
    }

    private boolean stageAppend(Table table, SortedSet<Long> rows) {
        DataFile file = write(table);
        table.newAppend().appendFile(file).stageOnly().commit();
        rows.addAll(files.rows(file.location()));
        record(table, rows);
        return true;
    }

    private boolean nameSnapshot(Table table, SortedSet<Long> rows) {
        if (table.currentSnapshot() == null) {
            return false;
        }
        table.manageSnapshots()
                .createTag("tag-" + UUID.randomUUID(), table.currentSnapshot().snapshotId())
                .commit();
        return true;
    }

    private boolean rollBack(Table table, SortedSet<Long> rows) {
        List<Snapshot> snapshots = new ArrayList<>();
        table.snapshots().forEach(snapshots::add);
        if (snapshots.size() < 2) {
            return false;
        }
        long id = any(snapshots).snapshotId();
        if (!revival.isWhole(IcebergTable.of(metadataLocation(table), id, 0, 0, 0))) {
            return false;
        }
        table.manageSnapshots().setCurrentSnapshot(id).commit();
        return true;
    }

    private boolean addColumn(Table table, SortedSet<Long> rows) {
        table.updateSchema()
                .addColumn("c" + (table.schema().columns().size() + 1), Types.StringType.get())
                .commit();
        return true;
    }

    private boolean upgrade(Table table, SortedSet<Long> rows) {
        int format = TableUtil.formatVersion(table);
        if (format == 3) {
            return false;
        }
        table.updateProperties()
                .set("format-version", Integer.toString(format + 1))
                .commit();
        return true;
    }

    private SortedSet<Long> currentRows(Table table) {
        Snapshot current = table.currentSnapshot();
        return current == null ? new TreeSet<>() : new TreeSet<>(rowsBySnapshot.get(current.snapshotId()));
    }

    /** Notes the rows of the snapshot that the last change made. */
    private void record(Table table, SortedSet<Long> rows) {
        table.snapshots().forEach(snapshot -> rowsBySnapshot.putIfAbsent(snapshot.snapshotId(), rows));
    }

    /** The current snapshot's files in an order of their own, as planning reads manifests on several threads. */
    private List<FileScanTask> tasks(Table table) {
        List<FileScanTask> tasks = new ArrayList<>();
        try (CloseableIterable<FileScanTask> planned = table.newScan().planFiles()) {
            planned.forEach(tasks::add);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        tasks.sort(Comparator.<FileScanTask>comparingLong(
                        task -> files.rows(task.file().location()).getFirst())
                .thenComparing(task -> task.file().recordCount()));
        return tasks;
    }

    private SortedSet<Long> visibleRows(FileScanTask task, SortedSet<Long> rows) {
        return visibleRows(task.file(), rows);
    }

    private SortedSet<Long> visibleRows(DataFile file, SortedSet<Long> rows) {
        SortedSet<Long> visible = new TreeSet<>(files.rows(file.location()));
        visible.retainAll(rows);
        return visible;
    }

    private List<Long> newRows() {
        List<Long> rows = new ArrayList<>();
        for (int i = random.nextInt(MAX_ROWS_PER_FILE); i >= 0; i--) {
            rows.add(++lastRow);
        }
        return rows;
    }

    private <T> T any(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }

    /** At least one of them. */
    private <T> List<T> some(Collection<T> all) {
        List<T> chosen = new ArrayList<>(all);
        while (chosen.size() > 1 && random.nextBoolean()) {
            chosen.remove(random.nextInt(chosen.size()));
        }
        return chosen;
    }

    private static String metadataLocation(Table table) {
        return ((HasTableOperations) table).operations().current().metadataFileLocation();
    }

    private static String metadataFile(Table table, String prefix, String suffix) {
        return table.location() + "/metadata/" + prefix + UUID.randomUUID() + suffix;
    }
}
