package org.anabranch.dag;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntConsumer;
import org.anabranch.model.CommitId;
import org.anabranch.store.CommitLinks;
import org.anabranch.store.Pages;
import org.anabranch.store.Store;

/**
 * All commit rows of a store with their links, and an order in which parents come before children, in which those come that were
 * asked for. Takes about 40 bytes a row, whatever the commits hold. A row is named by its place in order of numbers. Not safe from
 * many threads.
 */
public final class CommitTable {

    private static final int ROWS_PER_TRIP = 4_096;

    /** Is told what the links of rows lead to and that should not be. */
    public interface Faults {

        void missingParent(long number, long parent);

        void cycle(long number);
    }

    private int size;
    private long[] numbers = new long[1_024];
    private long[] idBits = new long[1_024];
    /** Where a row's parents begin; they end where those of the next one begin. */
    private int[] parentsAt = new int[1_025];

    private long[] parents = new long[1_024];

    private final IntStack order = new IntStack();
    private final BitSet visited = new BitSet();
    private final BitSet ordered = new BitSet();

    /** An empty table. */
    public CommitTable() {}

    /**
     * Lists the rows of a store. Costs one store trip for some thousands.
     *
     * @param progress is told after each trip how many rows are listed
     */
    public static CommitTable list(Store store, IntConsumer progress) {
        CommitTable table = new CommitTable();
        Pages.all(0L, last -> store.links(last, ROWS_PER_TRIP), CommitLinks::number)
                .forEach(rows -> {
                    rows.forEach(table::add);
                    progress.accept(table.size);
                });
        return table;
    }

    private void add(CommitLinks row) {
        if (size == numbers.length) {
            numbers = Arrays.copyOf(numbers, 2 * size);
            idBits = Arrays.copyOf(idBits, 2 * size);
            parentsAt = Arrays.copyOf(parentsAt, 2 * size + 1);
        }
        int from = parentsAt[size];
        int until = from + row.parents().size();
        if (until > parents.length) {
            parents = Arrays.copyOf(parents, Math.max(2 * parents.length, until));
        }
        for (int i = 0; i < row.parents().size(); i++) {
            parents[from + i] = row.parents().get(i);
        }
        numbers[size] = row.number();
        idBits[size] = bits(row.id());
        size++;
        parentsAt[size] = until;
    }

    /** How many rows there are. */
    public int size() {
        return size;
    }

    /** The place of a row; negative if there is none of that number. */
    public int find(long number) {
        return Arrays.binarySearch(numbers, 0, size, number);
    }

    public long number(int row) {
        return numbers[row];
    }

    /** The beginning of the id that the store keeps beside a row. */
    public long idBits(int row) {
        return idBits[row];
    }

    /** The numbers of a row's parents; 0 stands for no ancestor. */
    public List<Long> parents(int row) {
        return Arrays.stream(parents, parentsAt[row], parentsAt[row + 1])
                .boxed()
                .toList();
    }

    /** Appends to the order what a row reaches and is not there yet, itself last. */
    public void reach(int root, Faults faults) {
        IntStack path = new IntStack();
        path.push(root);
        while (path.size() > 0) {
            int row = path.get(path.size() - 1);
            if (visited.get(row)) {
                path.pop();
                if (!ordered.get(row)) {
                    ordered.set(row);
                    order.push(row);
                }
                continue;
            }
            visited.set(row);
            // The first parent is pushed last, so its whole line comes first.
            for (int i = parentsAt[row + 1] - 1; i >= parentsAt[row]; i--) {
                int parent = find(parents[i]);
                if (parent < 0) {
                    if (parents[i] != 0) {
                        faults.missingParent(numbers[row], parents[i]);
                    }
                } else if (!visited.get(parent)) {
                    path.push(parent);
                } else if (!ordered.get(parent)) {
                    faults.cycle(numbers[row]);
                }
            }
        }
    }

    /** How many rows are ordered so far. */
    public int orderedSize() {
        return order.size();
    }

    /** The row at a place of the order. */
    public int ordered(int place) {
        return order.get(place);
    }

    /** How an id begins: as good as the id to notice damage. */
    public static long bits(CommitId id) {
        return ByteBuffer.wrap(id.toBytes()).getLong();
    }

    private static final class IntStack {

        private int[] values = new int[64];
        private int size;

        private int size() {
            return size;
        }

        private int get(int at) {
            return values[at];
        }

        private void push(int value) {
            if (size == values.length) {
                values = Arrays.copyOf(values, 2 * size);
            }
            values[size++] = value;
        }

        private void pop() {
            size--;
        }
    }
}
