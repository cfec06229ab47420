package org.anabranch.versioning.commit;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.anabranch.model.ErrorCode;
import org.anabranch.model.RefusedException;

/**
 * The changes that wait for a branch, and whose caller leads it: group commit by leader and followers. Safe from many threads.
 *
 * <p>A change that arrives at an idle branch makes its caller's thread the leader, who takes the batches that are written.
 * Callers that arrive meanwhile join the queue and sleep. Once its own change has ended, the leader hands the lead to the first
 * caller in the queue and returns. So there are no threads and no timers, nothing to size, and nothing that lives on when a branch
 * is idle: a branch is in {@code waiting} exactly as long as somebody leads it, and the map never holds more branches than
 * there are callers.
 */
final class BranchQueues {

    private final WriteLimits limits;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition idle = lock.newCondition();
    private final Map<String, Deque<PendingChange<?>>> waiting = new HashMap<>();
    private boolean closed;

    BranchQueues(WriteLimits limits) {
        this.limits = limits;
    }

    /**
     * Puts a change in the queue of its branch, and sleeps until it has ended or its caller is the one to lead.
     *
     * @return the lead, to be closed; empty if the change has ended in the batch of somebody else
     * @throws RefusedException 429 if too many changes wait already; 503 if these queues are closed, or nobody took the change
     *     in time
     */
    Optional<Lead> enter(String branch, PendingChange<?> change) {
        if (!join(branch, change)) {
            awaitTurn(branch, change);
        }
        return change.hasEnded() ? Optional.empty() : Optional.of(new Lead(branch));
    }

    /** Refuses new changes, and returns when those that are under way or waiting have ended. */
    void close() {
        lock.lock();
        try {
            closed = true;
            while (!waiting.isEmpty()) {
                idle.awaitUninterruptibly();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Says whether the caller is the one to lead. */
    private boolean join(String branch, PendingChange<?> change) {
        lock.lock();
        try {
            if (closed) {
                throw RefusedException.of(
                        ErrorCode.SERVICE_UNAVAILABLE, "The service is shutting down and accepts no more changes");
            }
            Deque<PendingChange<?>> queue = waiting.get(branch);
            if (queue == null) {
                waiting.put(branch, new ArrayDeque<>(List.of(change)));
                return true;
            }
            if (queue.size() >= limits.waitingRequests()) {
                throw RefusedException.of(
                        ErrorCode.TOO_MANY_REQUESTS,
                        "Already " + queue.size() + " requests wait to change branch '" + branch
                                + "'; send this one again later");
            }
            queue.add(change);
            return false;
        } finally {
            lock.unlock();
        }
    }

    private void awaitTurn(String branch, PendingChange<?> change) {
        if (change.sleep(limits.time())) {
            return;
        }
        if (leave(branch, change)) {
            throw limits.notBegun(branch);
        }
        change.sleep();
    }

    /** Takes a change out of the queue of its branch, and says whether it was there and nobody has made it lead yet. */
    private boolean leave(String branch, PendingChange<?> change) {
        lock.lock();
        try {
            Deque<PendingChange<?>> queue = waiting.get(branch);
            return !change.isAwake() && queue != null && queue.remove(change);
        } finally {
            lock.unlock();
        }
    }

    /** Leave to take changes out of the queue of a branch, which one caller has at a time. */
    final class Lead implements AutoCloseable {

        private final String branch;

        private Lead(String branch) {
            this.branch = branch;
        }

        /** Takes the changes that came first; the leader's own is the first of all. Maybe none. */
        List<PendingChange<?>> take(int most) {
            lock.lock();
            try {
                Deque<PendingChange<?>> queue = waiting.get(branch);
                List<PendingChange<?>> taken = new ArrayList<>();
                while (taken.size() < most && !queue.isEmpty()) {
                    taken.add(queue.remove());
                }
                return taken;
            } finally {
                lock.unlock();
            }
        }

        /** Puts changes that were taken, and have not ended, back before all others, in their order. */
        void putBack(List<PendingChange<?>> changes) {
            lock.lock();
            try {
                Deque<PendingChange<?>> queue = waiting.get(branch);
                for (PendingChange<?> change : changes.reversed()) {
                    queue.addFirst(change);
                }
            } finally {
                lock.unlock();
            }
        }

        /** Hands the lead to the caller whose change is the first in the queue; with none, the branch is idle. */
        @Override
        public void close() {
            lock.lock();
            try {
                PendingChange<?> next = waiting.get(branch).peek();
                if (next != null) {
                    next.yourTurn();
                } else {
                    waiting.remove(branch);
                    idle.signalAll();
                }
            } finally {
                lock.unlock();
            }
        }
    }
}
