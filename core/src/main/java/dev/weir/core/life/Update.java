package dev.weir.core.life;

import dev.weir.core.json.Fingerprint;
import dev.weir.core.json.Keepable;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** What a worker reports of a step or item that it has claimed. */
public sealed interface Update {
    /** The largest output, in characters of JSON. */
    int OUTPUT_CHARS_MAX = 256 * 1024;

    /** Done; the output is what later steps see. */
    record Completed(JsonNode output) implements Update {}

    /** Done: there was nothing to do. */
    record NoOp() implements Update {}

    /**
     * Not done.
     *
     * @param permanent whether trying again would be in vain
     * @param retryAfter for how long nobody should try, in microseconds, by the word of the one who was called: all that
     *     share a key with the step wait so long; {@link #NOT_SAID} = it did not say
     */
    record Failed(String error, boolean permanent, long retryAfter) implements Update {
        public static final long NOT_SAID = 0;
        /** The longest time that is believed: one day, in microseconds. */
        public static final long RETRY_AFTER_MAX = 24 * 60 * 60 * 1_000_000L;

        public Failed(String error, boolean permanent) {
            this(error, permanent, NOT_SAID);
        }

        /** The longest text that is kept of an error, in characters. */
        public static final int ERROR_CHARS_MAX = 8 * 1024;

        public Failed {
            retryAfter = Math.clamp(retryAfter, NOT_SAID, RETRY_AFTER_MAX);
            error = Keepable.of(error, ERROR_CHARS_MAX);
        }
    }

    /**
     * Put off by the worker; no failure.
     *
     * @param delay how long to wait before the next try, in microseconds
     */
    record Rescheduled(long delay) implements Update {
        public Rescheduled {
            if (delay < 0) {
                throw new IllegalArgumentException("a delay must not be negative, found " + delay + " µs");
            }
        }
    }

    /**
     * Cannot go on without a person's input.
     *
     * @param prompt what that person is asked
     */
    record NeedsInput(JsonNode prompt) implements Update {}

    /** What it brings along that is kept for others to see; absent if it brings nothing. */
    default @Nullable JsonNode data() {
        return switch (this) {
            case Completed completed -> completed.output;
            case NeedsInput needsInput -> needsInput.prompt;
            case NoOp ignored -> null;
            case Failed ignored -> null;
            case Rescheduled ignored -> null;
        };
    }

    /** Tells a repeated report from a different one, also when the report itself is no longer kept. */
    default int fingerprint() {
        return Fingerprint.folded(
                switch (this) {
                    case Completed completed -> Fingerprint.with(Fingerprint.of(1), completed.output);
                    case NoOp ignored -> Fingerprint.of(2);
                    case Failed failed -> {
                        long print = Fingerprint.with(Fingerprint.of(3), failed.error);
                        print = Fingerprint.with(print, failed.permanent ? 1 : 0);
                        yield Fingerprint.with(print, failed.retryAfter);
                    }
                    case Rescheduled rescheduled -> Fingerprint.with(Fingerprint.of(4), rescheduled.delay);
                    case NeedsInput needsInput -> Fingerprint.with(Fingerprint.of(5), needsInput.prompt);
                });
    }
}
