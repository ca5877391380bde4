package dev.weir.engine.log;

import dev.weir.core.life.UnitId;
import dev.weir.core.life.Update;
import dev.weir.engine.Unavailable;
import dev.weir.engine.call.Veil;
import dev.weir.engine.records.TooManyReads;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * What a handler within this process says about a try. It is gathered, and written about once a second and at the end;
 * what cannot be written for a while is kept as far as a try's log goes, and no longer.
 */
public final class StepLog {
    private static final Duration EVERY = Duration.ofSeconds(1);
    /** What is worth being written at once, in characters. */
    private static final int MUCH = 8 * 1024;

    private final Logs logs;
    private final String org;
    private final UnitId unit;
    private final long fence;
    private final Veil veil;
    private final StringBuilder pending = new StringBuilder();
    /** Where what is pending begins, in bytes. */
    private long from;

    private boolean writing;
    private boolean lost;

    /**
     * A log of the try that a claim is for.
     *
     * @param veil hides the secrets that the try was given
     */
    public StepLog(Logs logs, String org, UnitId unit, long fence, Veil veil) {
        this.logs = logs;
        this.org = org;
        this.unit = unit;
        this.fence = fence;
        this.veil = veil;
    }

    /** Says a line. */
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
        String last = Said.last(all);
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

    /** Says what a handler has thrown, and how its try ends because of it. */
    public Update thrown(Throwable failure) {
        var trace = new StringWriter();
        failure.printStackTrace(new PrintWriter(trace));
        say(trace.toString().stripTrailing());
        return new Update.Failed(veil.over(String.valueOf(failure)), false);
    }

    /** Writes what has been said. To be done before the try is reported: after that nobody listens. */
    public synchronized void flush() {
        if (pending.isEmpty() || lost) {
            return;
        }
        // Connections are not made on behalf of a thread that is being interrupted.
        boolean interrupted = Thread.interrupted();
        try {
            var piece = new Piece(unit, fence, from, pending.toString());
            lost = logs.append(org, piece) == Logs.Kept.CLAIM_LOST;
            from = piece.until();
            pending.setLength(0);
        } catch (Unavailable | TooManyReads e) {
            // It stays, and is written with what is said next, or at the end.
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
