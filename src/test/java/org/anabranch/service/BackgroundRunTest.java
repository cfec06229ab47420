package org.anabranch.service;

import static org.anabranch.testing.TestCatalog.MAIN;
import static org.anabranch.testing.TestCatalog.put;
import static org.anabranch.testing.TestCatalog.table;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.anabranch.service.BackgroundRun.State;
import org.anabranch.store.StoreUnavailableException;
import org.anabranch.testing.AlteredStore;
import org.anabranch.testing.TestCatalog;
import org.anabranch.versioning.check.CheckLevel;
import org.anabranch.versioning.check.CheckReport;
import org.anabranch.versioning.check.CheckStage;
import org.anabranch.versioning.check.RepositoryCheck;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** One run at a time, and how it ends; here, of a check. */
class BackgroundRunTest {

    private final TestCatalog catalog = new TestCatalog();
    private final AlteredStore store = new AlteredStore(catalog.store());
    private final List<String> endings = new CopyOnWriteArrayList<>();
    private final BackgroundRun<CheckLevel, CheckStage, CheckReport> check = new BackgroundRun<>(
            "check",
            (level, progress, isToldToEnd) -> new RepositoryCheck(store).run(level, progress::at, isToldToEnd),
            new BackgroundRun.Listener<>() {
                @Override
                public void ended(CheckReport report) {
                    endings.add("complete: " + report.complete());
                }

                @Override
                public void failed(Throwable cause) {
                    endings.add(String.valueOf(cause));
                }
            },
            InstantSource.system());

    @AfterEach
    void close() {
        check.close();
        catalog.close();
    }

    @Test
    void nothingIsKnownBeforeTheFirst() {
        assertThat(check.status().state()).isEqualTo(State.NONE);
    }

    @Test
    void oneRunsAtATimeAndEndsWhenItIsTold() throws Exception {
        catalog.commit(MAIN, put("a", table("x")));
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        store.alterReferences(row -> {
            begun.countDown();
            try {
                goOn.await(60, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return row;
        });

        assertThat(check.start(CheckLevel.FULL)).isTrue();
        assertThat(begun.await(60, TimeUnit.SECONDS)).isTrue();
        assertThat(check.start(CheckLevel.QUICK)).isFalse();
        assertThat(check.status().state()).isEqualTo(State.RUNNING);
        check.end();
        goOn.countDown();
        check.close();

        assertThat(check.status().state()).isEqualTo(State.ENDED);
        assertThat(check.status().report().complete()).isFalse();
        assertThat(endings).containsExactly("complete: false");
        assertThat(check.start(CheckLevel.QUICK)).isTrue();
    }

    @Test
    void aStoreThatCannotBeReadIsAFailureAndNoFinding() {
        store.alterRepository(row -> {
            throw new StoreUnavailableException("the disk is gone", null);
        });

        check.start(CheckLevel.FULL);
        check.close();

        assertThat(check.status().state()).isEqualTo(State.FAILED);
        assertThat(check.status().failure()).isEqualTo("the disk is gone");
        assertThat(check.status().report()).isNull();
        assertThat(endings).containsExactly(StoreUnavailableException.class.getName() + ": the disk is gone");
    }

    @Test
    void aRunThatRunsOutOfMemoryHasFailedAndTheNextOneStarts() {
        store.alterRepository(row -> {
            throw new OutOfMemoryError("Java heap space");
        });

        check.start(CheckLevel.FULL);
        check.close();

        assertThat(check.status().state()).isEqualTo(State.FAILED);
        assertThat(check.status().failure()).isEqualTo("Java heap space");
        assertThat(check.start(CheckLevel.QUICK)).isTrue();
    }
}
