package org.anabranch.service;

import static org.anabranch.testing.TestCatalog.MAIN;
import static org.anabranch.testing.TestCatalog.put;
import static org.anabranch.testing.TestCatalog.table;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.anabranch.service.CheckRepository.State;
import org.anabranch.store.StoreUnavailableException;
import org.anabranch.testing.AlteredStore;
import org.anabranch.testing.TestCatalog;
import org.anabranch.versioning.check.RepositoryCheck;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** One check at a time, and how it ends. */
class CheckRepositoryTest {

    private final TestCatalog catalog = new TestCatalog();
    private final AlteredStore store = new AlteredStore(catalog.store());
    private final CheckRepository check = new CheckRepository(new RepositoryCheck(store), InstantSource.system());

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

        assertThat(check.startFull()).isTrue();
        assertThat(begun.await(60, TimeUnit.SECONDS)).isTrue();
        assertThat(check.startQuick()).isFalse();
        assertThat(check.status().state()).isEqualTo(State.RUNNING);
        check.end();
        goOn.countDown();
        check.close();

        assertThat(check.status().state()).isEqualTo(State.ENDED);
        assertThat(check.status().report().complete()).isFalse();
        assertThat(check.startQuick()).isTrue();
    }

    @Test
    void aStoreThatCannotBeReadIsAFailureAndNoFinding() {
        store.alterRepository(row -> {
            throw new StoreUnavailableException("the disk is gone", null);
        });

        check.startFull();
        check.close();

        assertThat(check.status().state()).isEqualTo(State.FAILED);
        assertThat(check.status().failure()).isEqualTo("the disk is gone");
        assertThat(check.status().report()).isNull();
    }
}
