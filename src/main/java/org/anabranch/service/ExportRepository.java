package org.anabranch.service;

import java.io.IOException;
import java.io.OutputStream;
import org.anabranch.versioning.transfer.ExportReport;
import org.anabranch.versioning.transfer.RepositoryExport;
import org.anabranch.versioning.transfer.TransferProgress;
import org.jspecify.annotations.Nullable;

/** An export of the repository beside what else the service does: one at a time, on a thread of its own. Safe from many threads. */
public final class ExportRepository implements AutoCloseable {

    /** Who waits for the end of an export, on its thread. */
    public interface Receiver {

        /** All of it is written. */
        void whole();

        /** No more will be written, and what was is no export. */
        void brokenOff();
    }

    private final RepositoryExport export;
    private final BackgroundRun.Listener<ExportReport> listener;
    private @Nullable Thread thread;
    private volatile boolean toldToEnd;

    /** @param listener hears of each export how it ended, on its thread */
    public ExportRepository(RepositoryExport export, BackgroundRun.Listener<ExportReport> listener) {
        this.export = export;
        this.listener = listener;
    }

    /**
     * Starts an export.
     *
     * @param to is written to, and never closed
     * @return false if one is under way, which goes on; nothing is heard of this one then
     */
    public synchronized boolean start(OutputStream to, Receiver receiver) {
        if (toldToEnd || thread != null && thread.isAlive()) {
            return false;
        }
        thread = Thread.ofPlatform().name("repository-export").daemon().start(() -> run(to, receiver));
        return true;
    }

    private void run(OutputStream to, Receiver receiver) {
        try {
            ExportReport report = export.run(to, TransferProgress.NONE, () -> toldToEnd);
            receiver.whole();
            listener.ended(report);
        } catch (IOException | RuntimeException | Error e) {
            receiver.brokenOff();
            listener.failed(e);
        }
    }

    /** Ends an export that is under way, waits until it has, and begins no further ones. */
    @Override
    public void close() {
        Thread running;
        synchronized (this) {
            toldToEnd = true;
            running = thread;
        }
        if (running != null) {
            try {
                running.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
