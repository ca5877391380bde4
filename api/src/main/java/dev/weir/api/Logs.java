package dev.weir.api;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Requests and responses about the logs of attempts. */
public final class Logs {
    /** The longest log that is kept of one attempt, in bytes of UTF-8. It is also the longest chunk of one request. */
    public static final int BYTES_MAX = 64 * 1024;

    private static final int NAME_CHARS_MAX = 256;

    private Logs() {}

    /**
     * One chunk of an attempt's log.
     *
     * @param fence the fence of the attempt's claim
     * @param from the number of bytes that this claim has logged before, including dropped bytes; a repeated chunk
     *     is not stored twice
     */
    public record LogPiece(
            String run, String step, @Nullable Integer item, Long fence, Long from, String text) {
        public LogPiece {
            run = InvalidValue.text("run", run, NAME_CHARS_MAX);
            step = InvalidValue.text("step", step, NAME_CHARS_MAX);
            fence = InvalidValue.present("fence", "the claim's fence", fence);
            from = InvalidValue.present("from", "the number of bytes before this text", from);
            text = InvalidValue.present("text", "a string", text);
            if (from < 0 || from > Long.MAX_VALUE / 2) {
                throw new InvalidValue("from", "a number of bytes of at least 0", String.valueOf(from));
            }
            int bytes = text.getBytes(StandardCharsets.UTF_8).length;
            if (bytes < 1 || bytes > BYTES_MAX) {
                throw new InvalidValue("text", "1 to " + BYTES_MAX + " bytes", bytes + " bytes");
            }
        }
    }

    public record LogRequest(List<LogPiece> logs) {
        public LogRequest {
            logs = InvalidValue.each("logs", "an entry", InvalidValue.present("logs", "a list", logs));
            if (logs.isEmpty() || logs.size() > Work.BATCH_MAX) {
                throw new InvalidValue("logs", "from 1 to " + Work.BATCH_MAX + " entries", String.valueOf(logs.size()));
            }
        }
    }

    /**
     * The result for one chunk. For a chunk that could not be read, it holds the fields that could be read.
     *
     * @param outcome kept, replayed, claim_lost or refused
     * @param detail the reason for a refusal, and its position in the request
     */
    public record LogResult(
            @Nullable String run,
            @Nullable String step,
            @Nullable Integer item,
            @Nullable Long fence,
            String outcome,
            @Nullable String detail) {}

    public record LogResults(List<LogResult> results) {}

    /**
     * An attempt in a list of logs.
     *
     * @param loggedAt the time when it logged last
     * @param text the end of its log
     * @param cut true if the log has, or had, text before it
     */
    public record LogEntry(
            String run, String step, @Nullable Integer item, int attempt, Instant loggedAt, String text, boolean cut) {}

    public record LogPage(List<LogEntry> logs, @Nullable String next) {}

    /**
     * The log of one attempt.
     *
     * @param attempt the number of the attempt; 0 if no attempt has logged anything
     * @param text the stored log, or the part that follows an earlier response
     * @param cut true if a part of the log, or text before it, is no longer stored
     * @param state the state of the step or item; one that has not ended may log more
     * @param next the position at the end of the text; send it as {@code after} to read on
     */
    public record LogView(
            String run,
            String step,
            @Nullable Integer item,
            int attempt,
            String text,
            boolean cut,
            String state,
            String next) {}
}
