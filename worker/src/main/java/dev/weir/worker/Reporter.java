package dev.weir.worker;

import dev.weir.worker.ReportQueue.Pending;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;

/** Delivers the reports of a worker: it sends them, repeats those that got no answer, and replaces refused ones. */
final class Reporter<C, R> implements AutoCloseable {
    /** The time for which a report is repeated. */
    private static final Duration GIVE_UP_AFTER = Duration.ofMinutes(5);

    private static final String ACTIVITY = "reporting results";

    private final WorkSource<C, R> source;
    private final AttemptHandler<C, R> handler;
    private final LeaseKeeper<C> leases;
    private final Troubles troubles;
    private final ReportQueue<C, R> queue;
    private final Backoff backoff = new Backoff();
    private final Semaphore delivered = new Semaphore(0);
    private final Thread thread;

    Reporter(
            WorkSource<C, R> source,
            AttemptHandler<C, R> handler,
            LeaseKeeper<C> leases,
            String name,
            Troubles troubles) {
        this.source = source;
        this.handler = handler;
        this.leases = leases;
        this.troubles = troubles;
        this.queue = new ReportQueue<>(source::bytes);
        this.thread = WorkerThreads.daemon(this::send, name + " reports");
    }

    void start() {
        thread.start();
    }

    ReportQueue<C, R> queue() {
        return queue;
    }

    void add(Attempt<C> attempt, R report) {
        queue.add(new Pending<>(attempt, report, false, System.nanoTime() + GIVE_UP_AFTER.toNanos()));
    }

    /** Waits until this many more reports were delivered. */
    void awaitDelivered(int reports) throws InterruptedException {
        delivered.acquire(reports);
    }

    private void send() {
        try {
            while (true) {
                List<Pending<C, R>> batch = queue.takeForReport();
                if (batch.isEmpty()) {
                    return; // the queue is closed
                }
                deliver(batch);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the worker could wait no longer
        }
    }

    /** Sends reports. Those that got no answer are put back into the queue. */
    void deliver(List<Pending<C, R>> batch) throws InterruptedException {
        try {
            prepare(batch);
            settle(batch, source.report(reports(batch)));
            backoff.reset();
            troubles.recovered(ACTIVITY);
        } catch (SourceFailure.Refused e) {
            handleRefusal(batch, e);
        } catch (SourceFailure.Unavailable e) {
            putBack(batch, String.valueOf(e.getMessage()));
            backoff.pause(e.retryAfter());
        } catch (RuntimeException e) {
            putBack(batch, e.toString());
            backoff.pause(null);
        }
    }

    private void handleRefusal(List<Pending<C, R>> batch, SourceFailure.Refused refusal) throws InterruptedException {
        if (refusal.isForbidden()) {
            putBack(batch, String.valueOf(refusal.getMessage()));
            backoff.pause(null);
        } else if (batch.size() == 1) {
            substitute(batch.get(0), String.valueOf(refusal.getMessage()));
        } else {
            for (Pending<C, R> one : batch) {
                deliver(List.of(one)); // finds those that cause the refusal
            }
        }
    }

    /** Gives the handler time for what must happen before a claim ends. */
    void prepare(List<Pending<C, R>> batch) throws InterruptedException {
        if (!batch.isEmpty()) {
            handler.beforeReports(batch.stream().map(Pending::attempt).toList());
        }
    }

    static <R> List<R> reports(List<? extends Pending<?, R>> batch) {
        return batch.stream().<R>map(Pending::report).toList();
    }

    /** Records the outcomes of reports. A report without an outcome is sent again. */
    void settle(List<Pending<C, R>> batch, List<WorkSource.Outcome> outcomes) {
        int answered = Math.min(batch.size(), outcomes.size());
        for (int i = 0; i < answered; i++) {
            String refusal = outcomes.get(i).refusal();
            if (refusal == null) {
                finish(batch.get(i));
                delivered.release();
            } else {
                substitute(batch.get(i), refusal);
            }
        }
        if (answered < batch.size()) {
            putBack(batch.subList(answered, batch.size()), "expected an outcome for each report, found fewer");
        }
    }

    /** Replaces a refused report by that of a permanent failure. */
    private void substitute(Pending<C, R> refused, String reason) {
        C claim = refused.attempt().claim();
        if (refused.substitute()) {
            troubles.report("could not report " + handler.describe(claim) + ": " + reason);
            finish(refused);
            return;
        }
        R failure = handler.refused(claim, "the server refused the report: " + reason);
        queue.add(new Pending<>(refused.attempt(), failure, true, refused.giveUpAt()));
        queue.letReporterTake();
    }

    /** Puts reports back into the queue, except those that were repeated for too long. */
    void putBack(List<Pending<C, R>> batch, String reason) {
        if (batch.isEmpty()) {
            return;
        }
        troubles.reportRetried(
                ACTIVITY, System.Logger.Level.WARNING, ACTIVITY + " failed; the worker retries: " + reason);
        long now = System.nanoTime();
        for (Pending<C, R> one : batch) {
            if (now - one.giveUpAt() >= 0) {
                troubles.report("could not report "
                        + handler.describe(one.attempt().claim()) + ": " + reason + "; its claim expires");
                finish(one);
            }
        }
        queue.putBack(batch.stream().filter(one -> now - one.giveUpAt() < 0).toList());
        queue.letReporterTake();
    }

    private void finish(Pending<C, R> report) {
        leases.remove(report.attempt());
    }

    /** Delivers what is left, for at most this time. */
    void finish(Duration timeout) throws InterruptedException {
        queue.close();
        thread.join(Math.max(1, timeout.toMillis()));
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
