package org.anabranch.bench.jmh;

import java.util.Iterator;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.anabranch.index.EntryDiff;
import org.anabranch.index.KeyRange;
import org.anabranch.object.Commit;
import org.anabranch.object.CommitRowBuilder;
import org.anabranch.object.IndexEntry;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What the key index and the encoding of commit rows cost, in microseconds per operation. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class TreeBenchmark {

    private static final int CHANGES = 10;

    /** Tables in the catalog. */
    @Param({"1000", "100000"})
    public int tables;

    private CommitsInMemory catalog;
    private Commit changed;

    @Setup
    public void load() {
        catalog = new CommitsInMemory(tables);
        changed = catalog.store(catalog.build(catalog.head(), catalog.randomTables(CHANGES)));
    }

    /** The entry of a key, all nodes decoded before. */
    @Benchmark
    public Optional<IndexEntry> lookup() {
        return catalog.warmIndex().find(catalog.head().tree(), catalog.randomKey());
    }

    /** The same with every node of the path decoded from its row, and the rows inflated. */
    @Benchmark
    public Optional<IndexEntry> lookupAndDecode() {
        return catalog.coldIndex().find(catalog.head().tree(), catalog.randomKey());
    }

    /** One edit of the tree, and the encoded and hashed row of its commit. */
    @Benchmark
    public CommitRowBuilder.Built commitOne() {
        return catalog.build(catalog.head(), catalog.randomTables(1));
    }

    /** The same for a thousand tables. */
    @Benchmark
    public CommitRowBuilder.Built commitThousand() {
        return catalog.build(catalog.head(), catalog.randomTables(1_000));
    }

    /** The diff of two commits that differ in ten keys. */
    @Benchmark
    public int diffTen() {
        Iterator<EntryDiff> diff = catalog.warmIndex().diff(catalog.head().tree(), changed.tree(), KeyRange.ALL);
        int found = 0;
        while (diff.hasNext()) {
            diff.next();
            found++;
        }
        return found;
    }

    /** All keys and entries in order. */
    @Benchmark
    public long scan() {
        long seqs = 0;
        Iterator<IndexEntry> entries = catalog.warmIndex().range(catalog.head().tree(), KeyRange.ALL);
        while (entries.hasNext()) {
            seqs += entries.next().seq();
        }
        return seqs;
    }
}
