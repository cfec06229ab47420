package org.anabranch.versioning.sweep;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.anabranch.dag.CommitTable;
import org.anabranch.model.ReferenceKind;
import org.anabranch.store.Condemned;
import org.anabranch.store.Pages;
import org.anabranch.store.Receipt;
import org.anabranch.store.ReferenceRow;
import org.anabranch.store.RepositoryRow;
import org.anabranch.store.Store;

/** One run of a {@link StoreSweep}, whose steps stand there. */
final class SweepRun {

    private static final long NO_MARK = Long.MIN_VALUE;

    private static final CommitTable.Faults LEFT_OVERS = new CommitTable.Faults() {
        @Override
        public void missingParent(long number, long parent) {
            // Written while the rows were listed; or deleted meanwhile, as the row itself, by another sweep.
        }

        @Override
        public void cycle(long number) {
            throw new UnsweepableException("Row " + number + " is its own ancestor: check the repository");
        }
    };

    private final Store store;
    private final long nowMicros;
    private final long agedMicros;
    private final int rowsPerStep;
    private final SweepMode mode;
    private final SweepProgress progress;
    private final BooleanSupplier isToldToEnd;

    private CommitTable table = new CommitTable();

    /** By row. */
    private long[] marks = {};

    private long references;
    private long receipts;
    private int reached;
    private long spared;
    private long deleted;
    private long waiting;
    private long condemned;

    /** @param agedMicros marks from then or before are old enough */
    SweepRun(
            Store store,
            long nowMicros,
            long agedMicros,
            int rowsPerStep,
            SweepMode mode,
            SweepProgress progress,
            BooleanSupplier isToldToEnd) {
        this.store = store;
        this.nowMicros = nowMicros;
        this.agedMicros = agedMicros;
        this.rowsPerStep = rowsPerStep;
        this.mode = mode;
        this.progress = progress;
        this.isToldToEnd = isToldToEnd;
    }

    private static final class ToldToEndException extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    SweepReport run() {
        boolean isComplete = true;
        try {
            list();
            spare();
            BitSet young = orderTheRest();
            delete(young);
            condemn();
        } catch (ToldToEndException ended) {
            isComplete = false;
        }
        return new SweepReport(
                mode, isComplete, references, receipts, table.size(), reached, spared, deleted, waiting, condemned);
    }

    private void at(SweepStage stage, long done, long total) {
        if (isToldToEnd.getAsBoolean()) {
            throw new ToldToEndException();
        }
        progress.at(stage, done, total);
    }

    private void list() {
        if (store.repository().filter(RepositoryRow::isBeingImported).isPresent()) {
            throw new UnsweepableException(
                    "The repository is being imported, and nothing leads to its commits yet: end the"
                            + " import first");
        }
        table = CommitTable.list(store, listed -> at(SweepStage.LISTING, listed, 0));
        marks = new long[table.size()];
        Arrays.fill(marks, NO_MARK);
        Pages.all(0L, last -> store.condemned(last, rowsPerStep), Condemned::number)
                .forEach(page -> page.forEach(this::note));
        Reached from = new Reached(store, table);
        for (ReferenceKind kind : ReferenceKind.values()) {
            Pages.all("", last -> store.references(kind, last, rowsPerStep), ReferenceRow::name)
                    .forEach(page -> {
                        page.forEach(reference -> reach(reference, from));
                        references += page.size();
                        at(SweepStage.LISTING, table.size(), table.size());
                    });
        }
        reachReceipts(from);
        reached = table.orderedSize();
    }

    private void note(Condemned mark) {
        int row = table.find(mark.number());
        if (row >= 0) {
            marks[row] = mark.atMicros();
        }
    }

    private void reach(ReferenceRow reference, Reached from) {
        requireStored(reference, from.from(reference.head().number()));
        reference
                .published()
                .forEach(earlier ->
                        requireStored(reference, from.from(earlier.head().number())));
    }

    private static void requireStored(ReferenceRow reference, long missing) {
        if (missing != 0) {
            throw new UnsweepableException("Row " + missing + ", which reference '" + reference.name()
                    + "' leads to, is not stored: nothing was deleted. Check the repository; if it is clean, the"
                    + " reference was deleted meanwhile, and another sweep goes through");
        }
    }

    /** Read after the references: a receipt may be all that is left of one. What expired is forgotten first. */
    private void reachReceipts(Reached from) {
        if (mode == SweepMode.SWEEP) {
            store.forgetReceipts(nowMicros);
        }
        Pages.all("", last -> store.receiptsAfter(last, rowsPerStep), Receipt::scope)
                .forEach(page -> {
                    for (Receipt receipt : page) {
                        if (receipt.expiresAtMicros() >= nowMicros) {
                            from.from(receipt.head().number());
                            receipts++;
                        }
                    }
                    at(SweepStage.LISTING, table.size(), table.size());
                });
    }

    private void spare() {
        List<Long> batch = new ArrayList<>();
        for (int place = 0; place < reached; place++) {
            int row = table.ordered(place);
            if (marks[row] != NO_MARK) {
                batch.add(table.number(row));
                spared++;
            }
            if (batch.size() == rowsPerStep || place == reached - 1 && !batch.isEmpty()) {
                change(batch, store::spare);
            }
        }
    }

    /**
     * Puts all other rows into the order, and says which of them must stay: those without a mark of the grace period's age, and
     * the ancestors of such rows.
     */
    private BitSet orderTheRest() {
        for (int row = 0; row < table.size(); row++) {
            table.reach(row, LEFT_OVERS);
        }
        BitSet young = new BitSet();
        for (int place = table.size() - 1; place >= reached; place--) {
            int row = table.ordered(place);
            if (marks[row] == NO_MARK || marks[row] > agedMicros) {
                young.set(row);
            }
            if (young.get(row)) {
                for (long parent : table.parents(row)) {
                    int parentRow = table.find(parent);
                    if (parentRow >= 0) {
                        young.set(parentRow);
                    }
                }
            }
        }
        return young;
    }

    private void delete(BitSet young) {
        long total = IntStream.range(reached, table.size())
                .filter(place -> !young.get(table.ordered(place)))
                .count();
        long seen = 0;
        List<Condemned> batch = new ArrayList<>();
        for (int place = table.size() - 1; place >= reached; place--) {
            int row = table.ordered(place);
            if (!young.get(row)) {
                batch.add(new Condemned(table.number(row), marks[row]));
                seen++;
            } else if (marks[row] != NO_MARK) {
                waiting++;
            }
            if (batch.size() == rowsPerStep || place == reached && !batch.isEmpty()) {
                at(SweepStage.DELETING, seen, total);
                deleted += mode == SweepMode.SWEEP ? store.delete(batch) : batch.size();
                batch.clear();
            }
        }
    }

    private void condemn() {
        List<Long> batch = new ArrayList<>();
        long total = table.size() - reached;
        for (int place = table.size() - 1; place >= reached; place--) {
            int row = table.ordered(place);
            if (marks[row] == NO_MARK) {
                batch.add(table.number(row));
                condemned++;
            }
            if (batch.size() == rowsPerStep || place == reached && !batch.isEmpty()) {
                at(SweepStage.CONDEMNING, condemned, total);
                change(batch, numbers -> store.condemn(numbers, nowMicros));
            }
        }
    }

    private void change(List<Long> batch, Consumer<List<Long>> how) {
        if (mode == SweepMode.SWEEP) {
            how.accept(batch);
        }
        batch.clear();
    }
}
