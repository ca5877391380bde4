package dev.weir.worker;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.ToIntFunction;

/**
 * The reports that wait to be sent. Two threads take them: the poller takes them along with its next request for claims;
 * the reporter sends them while the poller waits for work. Whatever is ready when a request returns goes into the next
 * one, so batches grow with the load.
 */
final class ReportQueue<C, R> {
    /** The most reports of one request. */
    static final int BATCH_MAX = 500;
    /** The most bytes of reports of one request. The server accepts bodies of 1 MiB. */
    static final int BATCH_BYTES_MAX = 768 * 1024;

    private final ToIntFunction<R> bytes;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final ArrayDeque<Pending<C, R>> pending = new ArrayDeque<>();
    /** True while the poller will take the next reports soon, so that the reporter leaves them to it. */
    private boolean pollerTakes = true;

    private boolean closed;

    /**
     * A report that waits to be sent.
     *
     * @param substitute true if it replaces a report that was refused
     * @param giveUpAt the time after which it is no longer sent, on the monotonic clock
     */
    record Pending<C, R>(Attempt<C> attempt, R report, boolean substitute, long giveUpAt) {}

    ReportQueue(ToIntFunction<R> bytes) {
        this.bytes = bytes;
    }

    void add(Pending<C, R> report) {
        lock.lock();
        try {
            pending.addLast(report);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Puts back reports that were not delivered, in front of the others. */
    void putBack(List<Pending<C, R>> reports) {
        lock.lock();
        try {
            for (int i = reports.size() - 1; i >= 0; i--) {
                pending.addFirst(reports.get(i));
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Takes the reports that go along with the next request for claims. If there are none, the poller is going to wait
     * for work, and the reporter sends new reports until {@link #pollEnded}.
     */
    List<Pending<C, R>> takeForPoll() {
        lock.lock();
        try {
            List<Pending<C, R>> batch = take();
            if (batch.isEmpty()) {
                letReporterTake();
            }
            return batch;
        } finally {
            lock.unlock();
        }
    }

    /** Lets the reporter send reports, because the poller waits. */
    void letReporterTake() {
        lock.lock();
        try {
            pollerTakes = false;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Says that the poller has its answer, and takes the next reports. */
    void pollEnded() {
        lock.lock();
        try {
            pollerTakes = true;
        } finally {
            lock.unlock();
        }
    }

    /** Takes the next batch for the reporter. Waits until there is one; returns none after {@link #close}. */
    List<Pending<C, R>> takeForReport() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (!closed && (pollerTakes || pending.isEmpty())) {
                changed.await();
            }
            return take();
        } finally {
            lock.unlock();
        }
    }

    private List<Pending<C, R>> take() {
        List<Pending<C, R>> batch = new ArrayList<>(Math.min(BATCH_MAX, pending.size()));
        long size = 0;
        for (Pending<C, R> next = pending.peekFirst();
                next != null && batch.size() < BATCH_MAX;
                next = pending.peekFirst()) {
            size += bytes.applyAsInt(next.report());
            if (size > BATCH_BYTES_MAX && !batch.isEmpty()) {
                break;
            }
            batch.add(pending.removeFirst());
        }
        return batch;
    }

    int size() {
        lock.lock();
        try {
            return pending.size();
        } finally {
            lock.unlock();
        }
    }

    /** Lets the reporter take the rest, and then stop. */
    void close() {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
