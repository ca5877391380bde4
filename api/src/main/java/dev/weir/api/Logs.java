package dev.weir.api;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What tries say while they run. */
public final class Logs {
    /** What is kept of one try, in bytes of UTF-8; also the longest piece. */
    public static final int BYTES_MAX = 64 * 1024;

    private static final int NAME_CHARS_MAX = 256;

    private Logs() {}

    /**
     * Something that a try says.
     *
     * @param fence that of its claim
     * @param from how many bytes this claim has said before, those that were left out too; the same again is not kept twice
     */
    public record LogPiece(
            String run, String step, @Nullable Integer item, Long fence, Long from, String text) {
        public LogPiece {
            run = Invalid.text("run", run, NAME_CHARS_MAX);
            step = Invalid.text("step", step, NAME_CHARS_MAX);
            fence = Invalid.present("fence", "the claim's fence", fence);
            from = Invalid.present("from", "how many bytes were said before", from);
            text = Invalid.present("text", "a text", text);
            if (from < 0 || from > Long.MAX_VALUE / 2) {
                throw new Invalid("from", "a number of bytes from 0", String.valueOf(from));
            }
            int bytes = text.getBytes(StandardCharsets.UTF_8).length;
            if (bytes < 1 || bytes > BYTES_MAX) {
                throw new Invalid("text", "1 to " + BYTES_MAX + " bytes", bytes + " bytes");
            }
        }
    }

    public record LogRequest(List<LogPiece> logs) {
        public LogRequest {
            logs = Invalid.each("logs", "an entry", Invalid.present("logs", "a list", logs));
            if (logs.isEmpty() || logs.size() > Work.BATCH_MAX) {
                throw new Invalid("logs", "from 1 to " + Work.BATCH_MAX + " entries", String.valueOf(logs.size()));
            }
        }
    }

    /**
     * What became of one piece. Of one that could not be read it names what could.
     *
     * @param result kept, replayed, claim_lost or refused
     * @param detail why it was refused, and where in the request that stands
     */
    public record LogResult(
            @Nullable String run,
            @Nullable String step,
            @Nullable Integer item,
            @Nullable Long fence,
            String result,
            @Nullable String detail) {}

    public record LogResults(List<LogResult> results) {}

    /**
     * What a try has said.
     *
     * @param attempt which try it was; 0 if none has said anything
     * @param text what is kept of it, or what came after an earlier answer
     * @param cut whether something before it, or of it, is no longer there
     * @param state of the step or item: one that has not ended may say more
     * @param next where the text ends: as after it asks for what comes then
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
