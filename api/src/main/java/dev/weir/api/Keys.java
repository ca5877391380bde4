package dev.weir.api;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Flow-control keys. */
public final class Keys {
    /** Bytes of a key. */
    public static final int KEY_BYTES_MAX = 256;

    private Keys() {}

    /**
     * A key as it is now.
     *
     * @param waitlist how many wait and need it
     * @param parallelism absent where nobody who uses it has one
     */
    public record KeyView(
            String key,
            int waitlist,
            Usage parallelism,
            Rate rate,
            boolean paused,
            @Nullable Pin pinned) {}

    /** How full a capacity is; no max = not limited. */
    public record Usage(@Nullable Integer max, long used) {}

    /** How much of a rate is used up. */
    public record Rate(
            @Nullable Integer max,
            long used,
            @Nullable String period,
            @Nullable String window,
            @Nullable Instant windowStart) {}

    /** An operator's values. */
    public record Pin(
            @Nullable Integer parallelism,
            @Nullable Integer rate,
            @Nullable String period,
            @Nullable String window,
            @Nullable Instant until) {}

    /** A page of keys; the totals are of all keys. */
    public record KeyPage(
            List<KeyView> keys, Totals totals, @Nullable String next) {}

    public record Totals(int keys, long waiting, long held) {}

    public record KeyHolders(String key, List<Why.Holder> holders) {}

    public record KeyWaitlist(String key, int size, List<Why.Holder> waitlist) {}

    /**
     * What an operator does to a key.
     *
     * @param reason why, for the trail
     * @param forTime after which it ends by itself, such as 30m; on the wire it is called for
     */
    public record KeyRequest(
            String key,
            @Nullable String reason,

            @com.fasterxml.jackson.annotation.JsonProperty("for") @Nullable
            String forTime) {
        public KeyRequest {
            key = checked(key);
        }
    }

    /** Values for a key that beat those of its steps; at least one of parallelism and rate. */
    public record PinRequest(
            String key,
            @Nullable String reason,

            @com.fasterxml.jackson.annotation.JsonProperty("for") @Nullable
            String forTime,

            @Nullable Integer parallelism,
            @Nullable Integer rate,
            @Nullable String period,
            @Nullable String window) {
        public PinRequest {
            key = checked(key);
            positive("parallelism", parallelism);
            positive("rate", rate);
            if (parallelism == null && rate == null) {
                throw new Invalid("parallelism", "a parallelism or a rate", "neither");
            }
            if (rate == null && (period != null || window != null)) {
                throw new Invalid("rate", "a rate beside its period and window", "none");
            }
        }

        private static void positive(String field, @Nullable Integer value) {
            if (value != null && value < 1) {
                throw new Invalid(field, "at least 1 (to stop a key, pause it)", String.valueOf(value));
            }
        }
    }

    /** What became of it: paused, resumed, not_paused, pinned, unpinned, not_pinned or reset. */
    public record KeyAction(String key, String result) {}

    static String checked(@Nullable String key) {
        String text = Invalid.text("key", key, KEY_BYTES_MAX);
        int bytes = text.getBytes(java.nio.charset.StandardCharsets.UTF_8).length;
        if (bytes > KEY_BYTES_MAX) {
            throw new Invalid("key", "at most " + KEY_BYTES_MAX + " bytes", String.valueOf(bytes));
        }
        return text;
    }
}
