package dev.weir.client;

import dev.weir.api.Logs;
import dev.weir.api.Logs.LogPiece;
import dev.weir.api.Work.WorkClaim;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Sends what the jobs of a worker say, about once a second. What does not get through is sent with what comes next. */
final class LogSender implements AutoCloseable {
    private static final long EVERY_MILLIS = 1_000;
    private static final Duration PATIENCE = Duration.ofMillis(500);
    /** Of one request, in bytes before they are written as JSON, which can make six of one. */
    private static final int REQUEST_BYTES_MAX = 2 * Logs.BYTES_MAX;

    private final Client client;
    private final Trouble trouble;
    private final Set<Job> jobs = ConcurrentHashMap.newKeySet();
    private final Thread sender;
    private volatile boolean closing;

    LogSender(Client client, WorkerSettings settings) {
        this.client = client;
        this.trouble = new Trouble(settings.trouble());
        this.sender = Worker.daemon(this::send, settings.name() + " logs");
    }

    void start() {
        sender.start();
    }

    void add(Job job) {
        jobs.add(job);
    }

    /** Sends what a job has still to say, before it is reported: after that nobody listens. */
    void finish(Job job) throws InterruptedException {
        jobs.remove(job);
        sendAllOrTell(List.of(job));
    }

    private void send() {
        while (!closing) {
            try {
                Thread.sleep(EVERY_MILLIS);
                sendAllOrTell(List.copyOf(jobs));
            } catch (InterruptedException e) {
                return; // only a close interrupts it
            }
        }
    }

    /** What a job says is not worth its report, nor what the others say. */
    private void sendAllOrTell(List<Job> some) throws InterruptedException {
        try {
            sendAll(some);
            trouble.over();
        } catch (RuntimeException e) {
            trouble.failed("sending what jobs say", e);
        }
    }

    private void sendAll(List<Job> some) throws InterruptedException {
        List<Job> sending = new ArrayList<>();
        List<LogPiece> pieces = new ArrayList<>();
        int bytes = 0;
        for (Job job : some) {
            LogBuffer.Unsent unsent = job.lost() ? null : job.said().next();
            if (unsent == null) {
                continue;
            }
            int more = (int) (unsent.until() - unsent.from());
            if (bytes + more > REQUEST_BYTES_MAX) {
                send(sending, pieces);
                sending.clear();
                pieces.clear();
                bytes = 0;
            }
            WorkClaim claim = job.claim();
            sending.add(job);
            pieces.add(
                    new LogPiece(claim.run(), claim.step(), claim.item(), claim.fence(), unsent.from(), unsent.text()));
            bytes += more;
        }
        send(sending, pieces);
    }

    private void send(List<Job> some, List<LogPiece> pieces) throws InterruptedException {
        if (pieces.isEmpty()) {
            return;
        }
        try {
            client.log(new Logs.LogRequest(pieces), PATIENCE);
            for (int i = 0; i < pieces.size(); i++) {
                LogPiece piece = pieces.get(i);
                some.get(i).said().sent(new LogBuffer.Unsent(piece.from(), piece.text()).until());
            }
        } catch (RequestFailed e) {
            // It stays, and is sent with what is said next.
        }
    }

    @Override
    public void close() {
        closing = true;
        sender.interrupt();
    }
}
