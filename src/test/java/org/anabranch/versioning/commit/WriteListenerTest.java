package org.anabranch.versioning.commit;

import static org.anabranch.testing.TestCatalog.MAIN;
import static org.anabranch.testing.TestCatalog.put;
import static org.anabranch.testing.TestCatalog.table;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.FutureTask;
import java.util.concurrent.locks.LockSupport;
import org.anabranch.model.CommitId;
import org.anabranch.model.CommitOutcome;
import org.anabranch.model.RefusedException;
import org.anabranch.store.memory.MemoryStore;
import org.anabranch.testing.FaultyStore;
import org.anabranch.testing.FaultyStore.Fault;
import org.anabranch.testing.TestCatalog;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is told of writes to whoever measures them. */
@Timeout(60)
class WriteListenerTest {

    private static final Duration WRITING = Duration.ofMillis(700);

    /** How a change ended, and on which thread that was told. */
    private record Ended(WriteTimes times, Object ending, Thread thread) {}

    private record Published(int changes, int commits) {}

    /** Writes down what it hears. */
    private static final class Notes implements WriteListener {

        private final List<Ended> ended = new CopyOnWriteArrayList<>();
        private final List<Published> published = new CopyOnWriteArrayList<>();
        private final List<Long> bytes = new CopyOnWriteArrayList<>();

        @Override
        public Underway begun(String branch) {
            Thread thread = Thread.currentThread();
            return new Underway() {
                @Override
                public void ended(WriteTimes times, WriteResult<?> result) {
                    assertThat(Thread.currentThread()).isSameAs(thread);
                    ended.add(new Ended(times, result, thread));
                }

                @Override
                public void failed(WriteTimes times, Throwable failure) {
                    assertThat(Thread.currentThread()).isSameAs(thread);
                    ended.add(new Ended(times, failure, thread));
                }
            };
        }

        @Override
        public void published(int changes, int commits, long size) {
            published.add(new Published(changes, commits));
            bytes.add(size);
        }
    }

    private final MemoryStore memory = new MemoryStore();
    private final FaultyStore store = new FaultyStore(memory);
    private final Notes notes = new Notes();
    private final TestCatalog catalog = new TestCatalog(store, memory, WriteLimits.DEFAULT, 0, notes);

    @Test
    void aLoneWriteWaitsForNobody() {
        store.foreignFirst(store.writes() + 1, () -> catalog.pause(WRITING));
        catalog.commitAt(MAIN, CommitId.NO_ANCESTOR, put("a", table("x")));

        assertThat(notes.ended).extracting(Ended::times).containsExactly(new WriteTimes(0, 0, WRITING.toNanos(), 1));
        assertThat(notes.published).containsExactly(new Published(1, 1));
        assertThat(notes.bytes.getFirst()).isBetween(100L, 2_000L);
    }

    @Test
    void whoArrivesDuringAWriteWaitsForItAndSharesTheNext() throws Exception {
        List<FutureTask<CommitOutcome>> queued = new ArrayList<>();
        store.foreignFirst(store.writes() + 1, () -> {
            for (String key : List.of("b", "c", "d")) {
                FutureTask<CommitOutcome> task =
                        new FutureTask<>(() -> catalog.commitAt(MAIN, CommitId.NO_ANCESTOR, put(key, table("x"))));
                Thread thread = Thread.ofPlatform().daemon().start(task);
                while (!String.valueOf(LockSupport.getBlocker(thread)).contains("Semaphore")) {
                    assertThat(task.isDone() || Thread.currentThread().isInterrupted())
                            .isFalse();
                    Thread.onSpinWait();
                }
                queued.add(task);
            }
            catalog.pause(WRITING);
        });
        catalog.commitAt(MAIN, CommitId.NO_ANCESTOR, put("a", table("x")));
        for (FutureTask<CommitOutcome> task : queued) {
            task.get();
        }

        assertThat(notes.published).containsExactly(new Published(1, 1), new Published(3, 3));
        assertThat(notes.ended)
                .extracting(Ended::times)
                .containsExactlyInAnyOrder(
                        new WriteTimes(0, 0, WRITING.toNanos(), 1),
                        new WriteTimes(WRITING.toNanos(), 0, 0, 1),
                        new WriteTimes(WRITING.toNanos(), 0, 0, 1),
                        new WriteTimes(WRITING.toNanos(), 0, 0, 1));
    }

    @Test
    void everyEndingIsTold() {
        catalog.commitAt(MAIN, CommitId.NO_ANCESTOR, put("a", table("x")));
        catalog.commitAt(MAIN, CommitId.NO_ANCESTOR, put("a", table("y")));
        store.at(store.writes() + 1, Fault.BEFORE);
        assertThatThrownBy(() -> catalog.commitAt(MAIN, CommitId.NO_ANCESTOR, put("b", table("x"))))
                .isInstanceOf(RuntimeException.class);
        catalog.writer().close();
        assertThatThrownBy(() -> catalog.commitAt(MAIN, CommitId.NO_ANCESTOR, put("c", table("x"))))
                .isInstanceOf(RefusedException.class);

        assertThat(notes.ended).hasSize(4);
        assertThat(notes.ended.get(0).ending()).isInstanceOf(WriteResult.Answered.class);
        assertThat(notes.ended.get(1).ending()).isInstanceOf(WriteResult.Answered.class);
        assertThat(notes.ended.get(2).ending()).isInstanceOf(RuntimeException.class);
        assertThat(notes.ended.get(3).ending()).isInstanceOf(RefusedException.class);
        assertThat(notes.ended.get(3).times().attempts()).isZero();
        assertThat(notes.published)
                .as("what was in conflict is published by nobody")
                .containsExactly(new Published(1, 1));
    }
}
