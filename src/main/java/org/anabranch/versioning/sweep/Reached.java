package org.anabranch.versioning.sweep;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.anabranch.dag.CommitTable;
import org.anabranch.store.CommitLinks;
import org.anabranch.store.Store;
import org.jspecify.annotations.Nullable;

/** Orders in a table what references lead to, also by way of rows that were written after the table was listed. */
final class Reached {

    /** Processes number the rows that they write one after the other. */
    private static final int NEIGHBOURS = 200;

    private final Store store;
    private final CommitTable table;
    private final Map<Long, CommitLinks> younger = new HashMap<>();
    private final Set<Long> seen = new HashSet<>();

    Reached(Store store, CommitTable table) {
        this.store = store;
        this.table = table;
    }

    /**
     * Reaches from one row.
     *
     * @return the number of a row that should be there and is not; 0 if there is none
     */
    long from(long root) {
        Deque<Long> left = new ArrayDeque<>();
        left.push(root);
        while (!left.isEmpty()) {
            long number = left.pop();
            int row = table.find(number);
            if (number == 0 || row < 0 && !seen.add(number)) {
                continue;
            }
            if (row >= 0) {
                table.reach(row, new CommitTable.Faults() {
                    @Override
                    public void missingParent(long child, long parent) {
                        left.push(parent);
                    }

                    @Override
                    public void cycle(long child) {
                        throw new UnsweepableException("Row " + child + " is its own ancestor: check the repository");
                    }
                });
                continue;
            }
            CommitLinks links = younger(number);
            if (links == null) {
                return number;
            }
            links.parents().forEach(left::push);
        }
        return 0;
    }

    private @Nullable CommitLinks younger(long number) {
        CommitLinks known = younger.get(number);
        if (known != null) {
            return known;
        }
        for (CommitLinks row : store.links(number - 1, NEIGHBOURS)) {
            if (table.find(row.number()) < 0) {
                younger.put(row.number(), row);
            }
        }
        return younger.get(number);
    }
}
