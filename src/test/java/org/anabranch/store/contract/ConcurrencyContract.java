package org.anabranch.store.contract;

import static org.anabranch.store.contract.StoreRows.branch;
import static org.anabranch.store.contract.StoreRows.create;
import static org.anabranch.store.contract.StoreRows.move;
import static org.anabranch.store.contract.StoreRows.moved;
import static org.anabranch.store.contract.StoreRows.row;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;
import org.anabranch.store.ChunkAddress;
import org.anabranch.store.ReferenceRow;
import org.anabranch.store.WriteOutcome;
import org.anabranch.store.WriteOutcome.ReferenceMoved;
import org.anabranch.store.WriteOutcome.Written;
import org.junit.jupiter.api.Test;

/** What every store does for many threads at once. */
abstract class ConcurrencyContract extends ContractPart {

    private static final int THREADS = 8;
    private static final int ROUNDS = 25;

    ConcurrencyContract(StoreContract contract) {
        super(contract);
    }

    @Test
    void ofManyWhoMoveOneReferenceExactlyOneWinsEachRound() throws Exception {
        ReferenceRow[] current = {branch("main", 0, 1_000)};
        store().write(List.of(), List.of(), create(current[0]), List.of());
        long number = 1;
        for (int round = 0; round < ROUNDS; round++) {
            ReferenceRow expected = current[0];
            CyclicBarrier start = new CyclicBarrier(THREADS);
            List<Callable<WriteOutcome>> movers = new ArrayList<>();
            List<ReferenceRow> wanted = new ArrayList<>();
            for (int thread = 0; thread < THREADS; thread++) {
                long mine = number++;
                ReferenceRow next = moved(expected, mine);
                wanted.add(next);
                movers.add(() -> {
                    start.await();
                    return store().write(List.of(row(mine)), List.of(), move(expected, next), List.of());
                });
            }

            List<WriteOutcome> outcomes = inParallel(movers);

            assertThat(outcomes).filteredOn(Written.class::isInstance).hasSize(1);
            ReferenceRow winner = wanted.get(outcomes.indexOf(new Written()));
            assertThat(outcomes)
                    .filteredOn(outcome -> !(outcome instanceof Written))
                    .containsOnly(new ReferenceMoved(winner));
            assertThat(store().reference("main")).contains(winner);
            current[0] = winner;
        }
    }

    @Test
    void writersOfDifferentReferencesAllSucceed() throws Exception {
        List<Callable<ReferenceRow>> writers = new ArrayList<>();
        for (int thread = 0; thread < THREADS; thread++) {
            String name = "branch-" + thread;
            long base = 1_000L * (thread + 1);
            writers.add(() -> {
                ReferenceRow current = branch(name, 0, base);
                assertThat(store().write(List.of(), List.of(), create(current), List.of()))
                        .isEqualTo(new Written());
                for (int step = 1; step <= ROUNDS; step++) {
                    ReferenceRow next = moved(current, base + step);
                    assertThat(store().write(List.of(row(base + step)), List.of(), move(current, next), List.of()))
                            .isEqualTo(new Written());
                    current = next;
                }
                return current;
            });
        }

        for (ReferenceRow last : inParallel(writers)) {
            assertThat(store().reference(last.name())).contains(last);
        }
    }

    @Test
    void whoSeesAReferenceSeesItsRows() throws Exception {
        AtomicBoolean done = new AtomicBoolean();
        ReferenceRow created = branch("main", 1, 1_000);
        store().write(List.of(row(1)), List.of(), create(created), List.of());
        List<Callable<Long>> all = new ArrayList<>();
        all.add(() -> {
            ReferenceRow current = created;
            try {
                for (long number = 2; number <= 100; number++) {
                    ReferenceRow next = moved(current, number);
                    store().write(List.of(row(number, number - 1)), List.of(), move(current, next), List.of());
                    current = next;
                }
            } finally {
                done.set(true);
            }
            return current.head().number();
        });
        for (int reader = 0; reader < 3; reader++) {
            all.add(() -> {
                long seen = 0;
                boolean last;
                do {
                    last = done.get();
                    long number = store().reference("main").orElseThrow().head().number();
                    assertThat(number).isGreaterThanOrEqualTo(seen);
                    assertThat(store().fetch(List.of(new ChunkAddress(number, 1))))
                            .hasSize(1);
                    seen = number;
                } while (!last);
                return seen;
            });
        }

        assertThat(inParallel(all)).containsOnly(100L);
    }

    @Test
    void noNumberIsHandedOutTwice() throws Exception {
        List<Callable<List<Long>>> takers = new ArrayList<>();
        for (int thread = 0; thread < THREADS; thread++) {
            int count = thread + 1;
            takers.add(() -> {
                List<Long> mine = new ArrayList<>();
                for (int step = 0; step < ROUNDS; step++) {
                    long first = store().numbers(count);
                    LongStream.range(first, first + count).forEach(mine::add);
                }
                return mine;
            });
        }

        Set<Long> distinct = new HashSet<>();
        int taken = 0;
        for (List<Long> mine : inParallel(takers)) {
            distinct.addAll(mine);
            taken += mine.size();
        }
        assertThat(distinct).hasSize(taken);
    }

    private static <T> List<T> inParallel(List<Callable<T>> tasks) throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(tasks.size())) {
            List<T> results = new ArrayList<>();
            for (Future<T> future : threads.invokeAll(tasks)) {
                results.add(future.get());
            }
            return results;
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }
}
