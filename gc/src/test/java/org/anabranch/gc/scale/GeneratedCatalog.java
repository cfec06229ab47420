package org.anabranch.gc.scale;

import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.anabranch.gc.CatalogContent;
import org.anabranch.gc.CatalogEntry;
import org.anabranch.gc.CatalogSource;
import org.anabranch.gc.ContentPointer;
import org.anabranch.gc.LoggedCommit;
import org.anabranch.gc.ReadAccess;
import org.anabranch.gc.ReferenceHead;
import org.anabranch.model.CommitId;
import org.anabranch.model.ContentKey;
import org.anabranch.model.ReferenceKind;

/**
 * A catalog by formula, which counts what is read from it. The first commit of {@code main} puts version 0 of all tables; each later one,
 * number {@code n}, puts version {@code n} of table {@code n % tables}. Branches start at evenly spread commits of it.
 */
final class GeneratedCatalog implements CatalogSource {

    private final int tables;
    private final int commits;
    private final int branches;
    private final BiFunction<Integer, Long, String> metadataLocations;
    private final AtomicLong commitsRead = new AtomicLong();
    private final AtomicLong entriesRead = new AtomicLong();

    /**
     * @param commits of {@code main}, the first included
     * @param branches beside {@code main}
     * @param metadataLocations by table and version
     */
    GeneratedCatalog(int tables, int commits, int branches, BiFunction<Integer, Long, String> metadataLocations) {
        this.tables = tables;
        this.commits = commits;
        this.branches = branches;
        this.metadataLocations = metadataLocations;
    }

    /** How many commits were read from logs so far. */
    long commitsRead() {
        return commitsRead.get();
    }

    /** How many entries were read so far: of trees, of changes between trees, and of commits in logs. */
    long entriesRead() {
        return entriesRead.get();
    }

    @Override
    public String repository() {
        return "generated";
    }

    @Override
    public ReadAccess readAccess() {
        return ReadAccess.UNFILTERED;
    }

    @Override
    public List<ReferenceHead> references() {
        return LongStream.rangeClosed(0, branches)
                .mapToObj(branch -> new ReferenceHead(
                        ReferenceKind.BRANCH,
                        branch == 0 ? "main" : "branch" + branch,
                        id(branch == 0 ? commits - 1 : (commits - 1) * branch / (branches + 1))))
                .toList();
    }

    @Override
    public Iterator<LoggedCommit> log(CommitId from) {
        return LongStream.rangeClosed(0, number(from))
                .map(n -> number(from) - n)
                .mapToObj(this::commit)
                .iterator();
    }

    private LoggedCommit commit(long number) {
        commitsRead.incrementAndGet();
        List<CatalogEntry> puts = number == 0
                ? IntStream.range(0, tables).mapToObj(table -> entry(table, 0)).toList()
                : List.of(entry((int) (number % tables), number));
        entriesRead.addAndGet(puts.size());
        return new LoggedCommit(
                id(number),
                number == 0 ? CommitId.NO_ANCESTOR : id(number - 1),
                Instant.EPOCH.plusSeconds(number),
                puts);
    }

    @Override
    public Iterator<CatalogEntry> entries(CommitId at) {
        return IntStream.range(0, tables)
                .mapToObj(table -> entry(table, version(table, number(at))))
                .peek(entry -> entriesRead.incrementAndGet())
                .iterator();
    }

    @Override
    public Iterator<CatalogEntry> changes(CommitId from, CommitId to) {
        return IntStream.range(0, tables)
                .filter(table -> version(table, number(from)) != version(table, number(to)))
                .mapToObj(table -> entry(table, version(table, number(to))))
                .peek(entry -> entriesRead.incrementAndGet())
                .iterator();
    }

    /** The number of the last commit up to a given one that put a table. */
    private long version(int table, long commit) {
        long last = commit - Math.floorMod(commit - table, (long) tables);
        return Math.max(0, last);
    }

    private CatalogEntry entry(int table, long version) {
        return new CatalogEntry(
                ContentKey.of("shop", "table" + table),
                "content-" + table,
                new CatalogContent.Iceberg(new ContentPointer(
                        ContentPointer.Kind.ICEBERG_TABLE, metadataLocations.apply(table, version), -1)));
    }

    /** Numbers count from 0; the id is not that of no ancestor. */
    private static CommitId id(long number) {
        return CommitId.of(
                ByteBuffer.allocate(CommitId.BYTES).putLong(number + 1).array());
    }

    private static long number(CommitId id) {
        return ByteBuffer.wrap(id.toBytes()).getLong() - 1;
    }
}
