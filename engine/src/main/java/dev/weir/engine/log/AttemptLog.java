package dev.weir.engine.log;

import dev.weir.core.state.UnitId;
import dev.weir.core.state.Update;
import dev.weir.engine.request.TooManyReads;
import dev.weir.engine.request.Unavailable;
import dev.weir.engine.secret.SecretRedactor;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * The log of an attempt whose handler runs in this process. Lines are buffered, and written about once a second and at
 * the end. If the store is unreachable, the buffer keeps as much as is stored of one attempt, and drops older text.
 */
public final class AttemptLog {
    private static final Duration EVERY = Duration.ofSeconds(1);
    /** The number of buffered characters that triggers a write at once. */
    private static final int MUCH = 8 * 1024;

    private final LogStore logs;
    private final String org;
    private final UnitId unit;
    private final long fence;
    private final SecretRedactor veil;
    private final StringBuilder pending = new StringBuilder();
    /** The offset at which the buffered text begins, in bytes. */
    private long from;

    private boolean writing;
    private boolean lost;

    /**
     * Creates the log of the attempt under a claim.
     *
     * @param veil hides the secrets that the attempt received
     */
    public AttemptLog(LogStore logs, String org, UnitId unit, long fence, SecretRedactor veil) {
        this.logs = logs;
        this.org = org;
        this.unit = unit;
        this.fence = fence;
        this.veil = veil;
    }

    /** Adds a line. */
    public void say(String line) {
        boolean much;
        synchronized (this) {
            if (lost) {
                return;
            }
            add(veil.over(line).replace('\0', '\uFFFD') + "\n");
            much = pending.length() >= MUCH;
            if (!much && !writing) {
                writing = true;
                Thread.ofVirtual().start(this::writeSoon);
            }
        }
        if (much) {
            flush();
        }
    }

    private void add(String text) {
        // Half a surrogate pair has no bytes in UTF-8.
        pending.append(new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8));
        String all = pending.toString();
        String last = LogTail.last(all);
        if (last.length() < all.length()) {
            from += all.getBytes(StandardCharsets.UTF_8).length - last.getBytes(StandardCharsets.UTF_8).length;
            pending.setLength(0);
            pending.append(last);
        }
    }

    private void writeSoon() {
        try {
            Thread.sleep(EVERY);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        synchronized (this) {
            writing = false;
        }
        flush();
    }

    /** Logs an exception that a handler threw, and returns the report of the failed attempt. */
    public Update thrown(Throwable failure) {
        var trace = new StringWriter();
        failure.printStackTrace(new PrintWriter(trace));
        say(trace.toString().stripTrailing());
        return new Update.Failed(veil.over(String.valueOf(failure)), false);
    }

    /**
     * Writes the buffered text. Call it before the attempt is reported: afterwards the claim has ended, and no text is
     * accepted.
     */
    public synchronized void flush() {
        if (pending.isEmpty() || lost) {
            return;
        }
        // An interrupted thread cannot open connections.
        boolean interrupted = Thread.interrupted();
        try {
            var piece = new LogChunk(unit, fence, from, pending.toString());
            lost = logs.append(org, piece) == LogStore.Kept.CLAIM_LOST;
            from = piece.until();
            pending.setLength(0);
        } catch (Unavailable | TooManyReads e) {
            // The text stays in the buffer, and is written with the next lines or at the end.
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
