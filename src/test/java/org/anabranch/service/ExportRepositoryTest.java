package org.anabranch.service;

import static org.anabranch.testing.TestCatalog.MAIN;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.anabranch.testing.TestCatalog;
import org.anabranch.versioning.transfer.ExportReport;
import org.anabranch.versioning.transfer.RepositoryExport;
import org.anabranch.versioning.transfer.TransferRefusedException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One export at a time, which ends whole, broken off, or with the service. */
class ExportRepositoryTest {

    private final BlockingQueue<Object> heard = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> received = new LinkedBlockingQueue<>();
    private final TestCatalog catalog = new TestCatalog();
    private ExportRepository exports;

    private final ExportRepository.Receiver receiver = new ExportRepository.Receiver() {
        @Override
        public void whole() {
            received.add("whole");
        }

        @Override
        public void brokenOff() {
            received.add("broken off");
        }
    };

    @BeforeEach
    void open() {
        for (int i = 0; i < 300; i++) {
            catalog.commit(MAIN, TestCatalog.put("t" + i, TestCatalog.table("x")));
        }
        exports = new ExportRepository(
                new RepositoryExport(catalog.store(), InstantSource.fixed(Instant.EPOCH)),
                new BackgroundRun.Listener<>() {
                    @Override
                    public void ended(ExportReport report) {
                        heard.add(report);
                    }

                    @Override
                    public void failed(Throwable cause) {
                        heard.add(cause);
                    }
                });
    }

    @AfterEach
    void close() {
        exports.close();
        catalog.close();
    }

    private static <T> T next(BlockingQueue<T> queue) throws InterruptedException {
        T next = queue.poll(60, TimeUnit.SECONDS);
        assertThat(next).isNotNull();
        return next;
    }

    /** Takes nothing until it is let go. */
    private static final class HeldStream extends OutputStream {

        private final CountDownLatch begun = new CountDownLatch(1);
        private final CountDownLatch released = new CountDownLatch(1);

        @Override
        public void write(int octet) throws IOException {
            begun.countDown();
            try {
                released.await();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        }
    }

    @Test
    void aSecondOneIsNotBegunBesideTheFirst() throws Exception {
        HeldStream held = new HeldStream();
        assertThat(exports.start(held, receiver)).isTrue();
        held.begun.await();

        assertThat(exports.start(OutputStream.nullOutputStream(), receiver)).isFalse();

        held.released.countDown();
        assertThat(next(received)).isEqualTo("whole");
        assertThat(next(heard))
                .isInstanceOfSatisfying(
                        ExportReport.class,
                        report -> assertThat(report.commits()).isEqualTo(300));
    }

    @Test
    void whoStopsReadingBreaksItOff() throws Exception {
        exports.start(
                new OutputStream() {
                    @Override
                    public void write(int octet) throws IOException {
                        throw new IOException("gone");
                    }
                },
                receiver);

        assertThat(next(received)).isEqualTo("broken off");
        assertThat(next(heard)).isInstanceOf(IOException.class);
    }

    @Test
    void theEndOfTheServiceBreaksItOff() throws Exception {
        HeldStream held = new HeldStream();
        exports.start(held, receiver);
        held.begun.await();
        Thread closing = Thread.ofPlatform().start(exports::close);
        while (!closing.getState().equals(Thread.State.WAITING)) {
            assertThat(closing.isAlive()).as("it waits for the export").isTrue();
            Thread.onSpinWait();
        }
        held.released.countDown();
        closing.join();

        assertThat(next(received)).isEqualTo("broken off");
        assertThat(next(heard)).isInstanceOf(TransferRefusedException.class);
        assertThat(exports.start(OutputStream.nullOutputStream(), receiver)).isFalse();
    }
}
