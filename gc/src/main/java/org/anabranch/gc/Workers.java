package org.anabranch.gc;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/** Threads for the parts of a step, which ends as a whole or fails as a whole. */
public final class Workers implements AutoCloseable {

    private final ExecutorService threads;

    /** @param number at least 1 */
    public Workers(int number) {
        this.threads = Executors.newFixedThreadPool(number, task -> {
            Thread thread = new Thread(task, "gc-worker");
            thread.setDaemon(true);
            return thread;
        });
    }

    /**
     * Does something with each item, several at a time, in the order given.
     *
     * @throws RuntimeException the first failure; items that were not begun by then are left
     */
    public <T> void forEach(Collection<T> items, Consumer<T> action) {
        List<Future<?>> parts = new ArrayList<>();
        for (T item : items) {
            parts.add(threads.submit(() -> action.accept(item)));
        }
        try {
            for (Future<?> part : parts) {
                part.get();
            }
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while others were at work", e);
        } finally {
            parts.forEach(part -> part.cancel(true));
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
