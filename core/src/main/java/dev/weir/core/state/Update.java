package dev.weir.core.state;

import dev.weir.core.json.Fingerprint;
import dev.weir.core.json.StorableJson;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A worker's report about a step or item that it has claimed. */
public sealed interface Update {
    /** The largest output, in characters of JSON. */
    int OUTPUT_CHARS_MAX = 256 * 1024;

    /** The work is done; later steps see the output. */
    record Completed(JsonNode output) implements Update {}

    /** There was nothing to do, which counts as done. */
    record NoOp() implements Update {}

    /**
     * The attempt failed.
     *
     * @param permanent true if another attempt cannot help
     * @param retryAfter the time, in microseconds, for which the called service asked not to be called: all steps that
     *     share a key with this one wait that long; {@link #NO_RETRY_AFTER} = it did not ask
     * @param status the HTTP status of the call's response; absent if there was none
     */
    record Failed(
            String error,
            boolean permanent,
            long retryAfter,
            @Nullable Integer status) implements Update {
        public static final long NO_RETRY_AFTER = 0;
        /** The longest accepted {@code retryAfter}: one day, in microseconds. */
        public static final long RETRY_AFTER_MAX = 24 * 60 * 60 * 1_000_000L;

        public Failed(String error, boolean permanent) {
            this(error, permanent, NO_RETRY_AFTER);
        }

        public Failed(String error, boolean permanent, long retryAfter) {
            this(error, permanent, retryAfter, null);
        }

        /** The longest stored error text, in characters. */
        public static final int ERROR_CHARS_MAX = 8 * 1024;

        public Failed {
            retryAfter = Math.clamp(retryAfter, NO_RETRY_AFTER, RETRY_AFTER_MAX);
            error = StorableJson.sanitize(error, ERROR_CHARS_MAX);
        }
    }

    /**
     * The worker put the unit off, which is not a failure.
     *
     * @param delay the time before the next attempt, in microseconds
     */
    record Rescheduled(long delay) implements Update {
        public Rescheduled {
            if (delay < 0) {
                throw new IllegalArgumentException("a delay must not be negative, found " + delay + " µs");
            }
        }
    }

    /**
     * The unit cannot continue without a person's input.
     *
     * @param prompt the question to that person
     */
    record NeedsInput(JsonNode prompt) implements Update {}

    /** The data that is stored for others to see; null if the report has none. */
    default @Nullable JsonNode data() {
        return switch (this) {
            case Completed completed -> completed.output;
            case NeedsInput needsInput -> needsInput.prompt;
            case NoOp ignored -> null;
            case Failed ignored -> null;
            case Rescheduled ignored -> null;
        };
    }

    /**
     * Returns a number that tells a repeated report from a different one, even when the report itself is no longer
     * stored.
     */
    default int fingerprint() {
        return Fingerprint.fold(
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
