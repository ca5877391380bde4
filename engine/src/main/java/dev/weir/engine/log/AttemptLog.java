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
    private static final Duration FLUSH_INTERVAL = Duration.ofSeconds(1);
    /** The number of buffered characters that triggers a write at once. */
    private static final int FLUSH_CHARS = 8 * 1024;

    private final LogStore logs;
    private final String org;
    private final UnitId unit;
    private final long fence;
    private final SecretRedactor redactor;
    private final StringBuilder pending = new StringBuilder();
    /** The offset at which the buffered text begins, in bytes. */
    private long from;

    private boolean flushScheduled;
    private boolean claimLost;

    /**
     * Creates the log of the attempt under a claim.
     *
     * @param redactor hides the secrets that the attempt received
     */
    public AttemptLog(LogStore logs, String org, UnitId unit, long fence, SecretRedactor redactor) {
        this.logs = logs;
        this.org = org;
        this.unit = unit;
        this.fence = fence;
        this.redactor = redactor;
    }

    /** Adds a line. */
    public void append(String line) {
        boolean full;
        synchronized (this) {
            if (claimLost) {
                return;
            }
            buffer(redactor.redact(line).replace('\0', '\uFFFD') + "\n");
            full = pending.length() >= FLUSH_CHARS;
            if (!full && !flushScheduled) {
                flushScheduled = true;
                Thread.ofVirtual().start(this::flushLater);
            }
        }
        if (full) {
            flush();
        }
    }

    private void buffer(String text) {
        // Half a surrogate pair has no bytes in UTF-8.
        pending.append(new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8));
        String all = pending.toString();
        String last = LogTail.tail(all);
        if (last.length() < all.length()) {
            from += all.getBytes(StandardCharsets.UTF_8).length - last.getBytes(StandardCharsets.UTF_8).length;
            pending.setLength(0);
            pending.append(last);
        }
    }

    private void flushLater() {
        try {
            Thread.sleep(FLUSH_INTERVAL);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        synchronized (this) {
            flushScheduled = false;
        }
        flush();
    }

    /** Logs an exception that a handler threw, and returns the report of the failed attempt. */
    public Update logFailure(Throwable failure) {
        var trace = new StringWriter();
        failure.printStackTrace(new PrintWriter(trace));
        append(trace.toString().stripTrailing());
        return new Update.Failed(redactor.redact(String.valueOf(failure)), false);
    }

    /**
     * Writes the buffered text. Call it before the attempt is reported: afterwards the claim has ended, and no text is
     * accepted.
     */
    public synchronized void flush() {
        if (pending.isEmpty() || claimLost) {
            return;
        }
        // An interrupted thread cannot open connections.
        boolean interrupted = Thread.interrupted();
        try {
            var chunk = new LogChunk(unit, fence, from, pending.toString());
            claimLost = logs.append(org, chunk) == LogStore.AppendResult.CLAIM_LOST;
            from = chunk.until();
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
