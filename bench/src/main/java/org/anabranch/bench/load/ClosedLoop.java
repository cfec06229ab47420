package org.anabranch.bench.load;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** The load: every worker has one connection and sends its next request when the last one is answered. */
public final class ClosedLoop {

    private ClosedLoop() {}

    /**
     * Runs workers side by side for a while, each at least one turn, and closes them.
     *
     * <p>Turns under way at the end are finished and counted, so a round may take longer than it was given.
     *
     * @throws IllegalStateException a worker failed in a way that makes figures meaningless
     */
    public static Round run(String contestant, List<? extends Worker> workers, Duration duration, Meters meters) {
        ExecutorService threads = Executors.newFixedThreadPool(workers.size());
        try {
            CountDownLatch start = new CountDownLatch(1);
            List<Future<Recording>> results = new ArrayList<>();
            for (Worker worker : workers) {
                results.add(threads.submit(() -> loop(worker, start, duration)));
            }
            long own = ProcessHandle.current().pid();
            long serverBefore = meters.server().getAsLong();
            long databaseBefore = meters.database().getAsLong();
            long ownBefore = Processes.cpuNanos(own);
            long machineBefore = Processes.machineBusyNanos();
            long began = System.nanoTime();
            start.countDown();
            Recording all = new Recording();
            for (Future<Recording> result : results) {
                all.add(result.get());
            }
            long elapsed = System.nanoTime() - began;
            long machine = Processes.machineBusyNanos() - machineBefore;
            long generator = Processes.cpuNanos(own) - ownBefore;
            long database = meters.database().getAsLong() - databaseBefore;
            long server = meters.server().getAsLong() - serverBefore;
            double operations = Math.max(1, all.operations());
            double processors = (double) elapsed * Runtime.getRuntime().availableProcessors();
            return new Round(
                    contestant,
                    all.operations() == 0 ? 0 : all.operations() * 1e9 * workers.size() / all.nanosOfAll(),
                    all.operations(),
                    all.conflicts(),
                    all.refusals(),
                    all.errors(),
                    all.firstError().orElse(""),
                    all.percentileMillis(50),
                    all.percentileMillis(99),
                    all.maxMillis(),
                    server / 1e3 / operations,
                    database / 1e3 / operations,
                    generator / 1e3 / operations,
                    meters.residentBytes().getAsLong() / 1e6,
                    Math.clamp((machine - generator - database - server) / processors, 0, 1));
        } catch (ExecutionException e) {
            throw new IllegalStateException("the load on " + contestant + " broke off: " + e.getCause(), e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted under load", e);
        } finally {
            threads.shutdownNow();
        }
    }

    private static Recording loop(Worker worker, CountDownLatch start, Duration duration) throws Exception {
        try (worker) {
            Recording recording = new Recording();
            start.await();
            long end = System.nanoTime() + duration.toNanos();
            do {
                worker.turn(recording);
            } while (System.nanoTime() < end);
            return recording;
        }
    }
}
