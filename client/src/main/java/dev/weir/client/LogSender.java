package dev.weir.client;

import dev.weir.api.Logs;
import dev.weir.api.Logs.LogPiece;
import dev.weir.api.Work.WorkClaim;
import dev.weir.worker.Troubles;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Sends the logs of a worker's jobs about once a second. Text that does not get through is sent again with the next
 * text.
 */
final class LogSender implements AutoCloseable {
    private static final String ACTIVITY = "sending logs";
    private static final long SEND_INTERVAL_MILLIS = 1_000;
    private static final Duration RETRY_TIMEOUT = Duration.ofMillis(500);
    /** The most bytes of log text in one request. They are counted before encoding; JSON can turn one byte into six. */
    private static final int REQUEST_BYTES_MAX = 2 * Logs.BYTES_MAX;

    private final Client client;
    private final Troubles troubles;
    private final Set<Job> jobs = ConcurrentHashMap.newKeySet();
    private final Thread sender;
    private volatile boolean closing;

    LogSender(Client client, String name, Troubles troubles) {
        this.client = client;
        this.troubles = troubles;
        this.sender = new Thread(this::send, name + " logs");
        sender.setDaemon(true);
    }

    void start() {
        sender.start();
    }

    void add(Job job) {
        jobs.add(job);
    }

    /**
     * Sends the rest of the logs of these jobs. This must happen before the jobs are reported, because the server
     * accepts no log after that.
     */
    void finish(List<Job> finished) throws InterruptedException {
        finished.forEach(jobs::remove);
        sendAllOrReport(finished);
    }

    private void send() {
        while (!closing) {
            try {
                Thread.sleep(SEND_INTERVAL_MILLIS);
                sendAllOrReport(List.copyOf(jobs));
            } catch (InterruptedException e) {
                return; // only close interrupts this thread
            }
        }
    }

    /**
     * Sends logs and catches failures. A failure to send logs must not prevent a job's report, nor the logs of
     * other jobs.
     */
    private void sendAllOrReport(List<Job> batch) throws InterruptedException {
        try {
            sendAll(batch);
            troubles.recovered(ACTIVITY);
        } catch (RuntimeException e) {
            troubles.reportRetried(
                    ACTIVITY, System.Logger.Level.WARNING, ACTIVITY + " failed; the worker retries: " + e);
        }
    }

    private void sendAll(List<Job> batch) throws InterruptedException {
        List<Job> sending = new ArrayList<>();
        List<LogPiece> pieces = new ArrayList<>();
        int bytes = 0;
        for (Job job : batch) {
            LogBuffer.UnsentChunk unsent = job.isLost() ? null : job.logBuffer().next();
            if (unsent == null) {
                continue;
            }
            int chunkBytes = (int) (unsent.end() - unsent.from());
            if (bytes + chunkBytes > REQUEST_BYTES_MAX) {
                send(sending, pieces);
                sending.clear();
                pieces.clear();
                bytes = 0;
            }
            WorkClaim claim = job.claim();
            sending.add(job);
            pieces.add(
                    new LogPiece(claim.run(), claim.step(), claim.item(), claim.fence(), unsent.from(), unsent.text()));
            bytes += chunkBytes;
        }
        send(sending, pieces);
    }

    private void send(List<Job> batch, List<LogPiece> pieces) throws InterruptedException {
        if (pieces.isEmpty()) {
            return;
        }
        try {
            client.log(new Logs.LogRequest(pieces), RETRY_TIMEOUT);
            for (int i = 0; i < pieces.size(); i++) {
                LogPiece piece = pieces.get(i);
                batch.get(i).logBuffer().confirmSent(new LogBuffer.UnsentChunk(piece.from(), piece.text()).end());
            }
        } catch (RequestFailed e) {
            // The text stays in the buffer and is sent with the next text.
        }
    }

    @Override
    public void close() {
        closing = true;
        sender.interrupt();
    }
}
