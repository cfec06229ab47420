package org.anabranch.store.embedded;

import static org.anabranch.store.contract.StoreRows.branch;
import static org.anabranch.store.contract.StoreRows.create;
import static org.anabranch.store.contract.StoreRows.delete;
import static org.anabranch.store.contract.StoreRows.id;
import static org.anabranch.store.contract.StoreRows.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.anabranch.store.Change;
import org.anabranch.store.CommitRow;
import org.anabranch.store.ReferenceRow;
import org.anabranch.store.StoreUnavailableException;
import org.anabranch.store.WriteOutcome;
import org.anabranch.store.WriteOutcome.AdoptedMissing;
import org.anabranch.store.WriteOutcome.ReferenceMoved;
import org.anabranch.store.WriteOutcome.Written;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Writes that come while the store is busy with another one: they become durable together, and each ends as if it were alone. */
@Timeout(60)
class GatheredWritesTest {

    private static final int LOG_HEADER_BYTES = 32;
    private static final int FRAME_HEADER_BYTES = 24;
    private static final int PAGE_BYTES = 4096;

    @TempDir
    Path folder;

    private EmbeddedStore store;

    @BeforeEach
    void open() {
        store = EmbeddedStore.open(folder);
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void theyAreOneTransaction() throws Exception {
        int before = transactionsInLog();

        List<Object> outcomes = whileBusy(
                () -> write(create(branch("a", 0, 1))),
                () -> write(create(branch("b", 0, 2))),
                () -> store.numbers(10),
                () -> write(create(branch("c", 0, 3))));

        assertThat(outcomes).containsExactly(new Written(), new Written(), 1L, new Written());
        assertThat(List.of("a", "b", "c"))
                .allMatch(name -> store.reference(name).isPresent());
        // That of the write that kept the store busy is the other one.
        assertThat(transactionsInLog()).isEqualTo(before + 2);
    }

    @Test
    void eachSeesWhatThoseBeforeItChanged() throws Exception {
        ReferenceRow first = branch("a", 0, 1);
        ReferenceRow second = branch("a", 0, 2);

        List<Object> outcomes = whileBusy(
                () -> write(create(first)),
                () -> write(create(second)),
                () -> write(delete(first)),
                () -> write(create(second)));

        assertThat(outcomes).containsExactly(new Written(), new ReferenceMoved(first), new Written(), new Written());
        assertThat(store.reference("a")).contains(second);
    }

    @Test
    void oneThatIsRefusedChangesNothing() throws Exception {
        List<Object> outcomes = whileBusy(
                () -> write(create(branch("a", 0, 1))),
                () -> store.write(List.of(row(5)), List.of(404L), create(branch("b", 5, 2)), List.of()),
                () -> write(create(branch("c", 0, 3))));

        assertThat(outcomes).containsExactly(new Written(), new AdoptedMissing(Set.of(404L)), new Written());
        assertThat(store.reference("b")).isEmpty();
        assertThat(store.find(List.of(row(5).id()))).isEmpty();
    }

    @Test
    void oneThatFailsFailsAlone() throws Exception {
        CommitRow impostor = new CommitRow(7, id(8), List.of(0L), List.of(new byte[1]));
        store.write(List.of(row(7)), List.of(), create(branch("main", 7, 1)), List.of());

        List<Object> outcomes = whileBusy(
                () -> write(create(branch("a", 0, 2))),
                () -> store.write(List.of(row(9), impostor), List.of(), create(branch("b", 9, 3)), List.of()),
                () -> write(create(branch("c", 0, 4))));

        assertThat(outcomes.get(0)).isEqualTo(new Written());
        assertThat(outcomes.get(1)).isInstanceOf(IllegalArgumentException.class);
        assertThat(outcomes.get(2)).isEqualTo(new Written());
        assertThat(store.reference("a")).isPresent();
        assertThat(store.reference("b")).isEmpty();
        assertThat(store.reference("c")).isPresent();
        assertThat(store.find(List.of(row(9).id()))).isEmpty();
    }

    @Test
    void closingWaitsForTheOneThatIsUnderWay() throws Exception {
        List<Object> outcomes = whileBusy(() -> write(create(branch("a", 0, 1))), () -> {
            store.close();
            return "closed";
        });

        assertThat(outcomes.get(0)).isInstanceOf(StoreUnavailableException.class);
        assertThat(outcomes.get(1)).isEqualTo("closed");
        assertThatThrownBy(() -> write(create(branch("b", 0, 2)))).isInstanceOf(StoreUnavailableException.class);
        try (EmbeddedStore again = EmbeddedStore.open(folder)) {
            assertThat(again.reference("busy")).isPresent();
            assertThat(again.reference("a")).isEmpty();
            assertThat(again.reference("b")).isEmpty();
        }
    }

    private WriteOutcome write(Change change) {
        return store.write(List.of(), List.of(), change, List.of());
    }

    /** Makes calls, one behind the other, while the store is busy; what each returned or threw. */
    @SafeVarargs
    private List<Object> whileBusy(Callable<Object>... calls) throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        List<Long> slow = new AbstractList<>() {
            @Override
            public Long get(int index) {
                begun.countDown();
                try {
                    release.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                return 0L;
            }

            @Override
            public int size() {
                return 1;
            }
        };
        FutureTask<Object> busy = started(() -> store.write(List.of(), slow, create(branch("busy", 0, 99)), List.of()));
        begun.await();
        List<FutureTask<Object>> running = new ArrayList<>();
        for (Callable<Object> call : calls) {
            running.add(started(call));
        }
        release.countDown();
        assertThat(busy.get()).isEqualTo(new Written());
        List<Object> results = new ArrayList<>();
        for (FutureTask<Object> one : running) {
            results.add(one.get());
        }
        return results;
    }

    /** A call whose thread waits for the store. */
    private static FutureTask<Object> started(Callable<Object> call) {
        FutureTask<Object> task = new FutureTask<>(() -> {
            try {
                return call.call();
            } catch (RuntimeException thrown) {
                return thrown;
            }
        });
        Thread thread = Thread.ofPlatform().start(task);
        while (thread.isAlive()
                && thread.getState() != Thread.State.WAITING
                && thread.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
        return task;
    }

    /** Counts the frames of the log that end a transaction. */
    private int transactionsInLog() throws IOException {
        ByteBuffer log = ByteBuffer.wrap(Files.readAllBytes(folder.resolve(EmbeddedStore.FILE + "-wal")));
        int transactions = 0;
        for (int at = LOG_HEADER_BYTES; at < log.capacity(); at += FRAME_HEADER_BYTES + PAGE_BYTES) {
            if (log.getInt(at + Integer.BYTES) != 0) {
                transactions++;
            }
        }
        return transactions;
    }
}
