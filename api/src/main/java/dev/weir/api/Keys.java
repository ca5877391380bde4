package dev.weir.api;

import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Requests and responses about flow-control keys. */
public final class Keys {
    /** The longest key, in bytes of UTF-8. */
    public static final int KEY_BYTES_MAX = 256;

    private Keys() {}

    /**
     * The present state of a key.
     *
     * @param waiting the number of steps that ask for the key and that it refuses now
     * @param oldestWaitingSince the time since which the next of them waits; absent if none waits
     * @param parallelism the use of its capacity; its max is absent if no user of the key sets one
     * @param paused true if an operator has stopped new starts under the key
     * @param pausedUntil the end of that pause; absent if it lasts until somebody resumes the key
     * @param retryAfter the hold that a called server or a worker asked for; absent if there is none
     * @param details absent unless they were asked for
     */
    public record KeyView(
            String key,
            int waiting,
            @Nullable Instant oldestWaitingSince,
            Usage parallelism,
            Rate rate,
            boolean paused,
            @Nullable Instant pausedUntil,
            @Nullable RetryAfter retryAfter,
            @Nullable Pin pinned,
            @Nullable KeyDetails details) {}

    /**
     * The last hour of a key, and the operators' changes that are in force.
     *
     * @param lastHour the most steps that waited in each minute, oldest first; absent if none waited
     * @param startsPerMinute the present pace of starts; absent if no step waits, or if the pace is not known yet
     * @param emptyAt the time at which the waiting steps have started at this pace; absent if it cannot be told
     * @param pausedBy the change that paused the key
     * @param pinnedBy the newest change of its pinned values
     * @param starts the newest starts that its rate counts, oldest first; absent in lists
     */
    public record KeyDetails(
            @Nullable List<Integer> lastHour,
            @Nullable Double startsPerMinute,
            @Nullable Instant emptyAt,
            @Nullable KeyChange pausedBy,
            @Nullable KeyChange pinnedBy,
            @Nullable List<RateStart> starts) {}

    /** An operator's change. */
    public record KeyChange(String by, Instant at, @Nullable String reason) {}

    /** The starts of one instant, and the sum of their costs. */
    public record RateStart(Instant at, long cost) {}

    /**
     * A hold that a called server, or a worker, has asked for.
     *
     * @param until the end of the hold
     * @param status the HTTP status of the response that asked for it; absent if a worker reported it
     * @param run the run whose step got that response
     */
    public record RetryAfter(
            Instant until,
            @Nullable Integer status,
            @Nullable String run,
            @Nullable String step,
            @Nullable Integer item) {}

    /** The use of a capacity. No max means unlimited. */
    public record Usage(@Nullable Integer max, long used) {}

    /** The use of a rate. */
    public record Rate(
            @Nullable Integer max,
            long used,
            @Nullable String period,
            @Nullable String window,
            @Nullable Instant windowStart) {}

    /**
     * An operator's values that are in force for a key.
     *
     * @param until the time at which the first temporary value ends; absent if all are lasting
     * @param lasting the values that apply again when the temporary ones have ended; absent if all are lasting
     */
    public record Pin(
            @Nullable Integer parallelism,
            @Nullable Integer rate,
            @Nullable String period,
            @Nullable String window,
            @Nullable Instant until,
            @Nullable Pin lasting) {}

    /** A page of keys. The totals count all keys that match the filter. */
    public record KeyPage(
            List<KeyView> keys, Totals totals, @Nullable String next) {}

    public record Totals(int keys, long waiting, long inUse) {}

    public record KeyHolders(String key, List<Why.Holder> holders) {}

    public record KeyWaitlist(String key, int waiting, List<Waiter> waitlist) {}

    /**
     * A step, item or run that a key refuses.
     *
     * @param expectedAt the time at which the key admits it; absent if that cannot be told
     * @param estimate true if that time comes from the pace of the last releases, and not from the limit alone
     */
    public record Waiter(
            String run,
            @Nullable String step,
            @Nullable Integer item,
            @Nullable Instant since,
            @Nullable Instant expectedAt,
            @Nullable Boolean estimate) {}

    /**
     * The use of a key in the last hour, as far as the node was running.
     *
     * @param interval the time that one sample covers
     * @param samples the samples, oldest first
     */
    public record KeyHistory(String key, String interval, List<KeySample> samples) {}

    /**
     * One sample of a key.
     *
     * @param at the beginning of the sample
     * @param waiting the number of steps that the key refused at its end
     * @param used the capacity in use at its end
     * @param started the number of starts within it
     */
    public record KeySample(Instant at, int waiting, int used, int started) {}

    /**
     * An operator's action on a key.
     *
     * @param reason the operator's reason, for the audit trail
     * @param forTime the time after which the action ends by itself, such as 30m; called {@code for} on the wire
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

    /**
     * A change of the values that an operator sets for a key, which take precedence over those of its steps. An
     * absent field keeps its value, and null clears it. When all are cleared, the key is unpinned.
     *
     * @param forTime the time for which the new values apply, before the lasting ones apply again; absent = the new
     *     values are lasting
     * @param parallelism a whole number
     * @param rate a whole number
     * @param period a duration with a unit, or a number of milliseconds
     * @param window sliding or fixed
     */
    public record PinRequest(
            String key,
            @Nullable String reason,

            @com.fasterxml.jackson.annotation.JsonProperty("for") @Nullable
            String forTime,

            @Nullable JsonNode parallelism,
            @Nullable JsonNode rate,
            @Nullable JsonNode period,
            @Nullable JsonNode window) {
        public PinRequest {
            key = checked(key);
            InvalidValue.countOrNull("parallelism", parallelism, "pause a key to stop it");
            InvalidValue.countOrNull("rate", rate, "pause a key to stop it");
            List<@Nullable JsonNode> values = Arrays.<@Nullable JsonNode>asList(parallelism, rate, period, window);
            if (values.stream().allMatch(Objects::isNull)) {
                throw new InvalidValue("parallelism", "a parallelism, a rate, a period or a window", "none of them");
            }
            if (forTime != null && values.stream().allMatch(value -> value == null || value.isNull())) {
                throw new InvalidValue("for", "a value that applies for this time", "none");
            }
        }

        /** Pins a parallelism, a rate, or both. A null argument keeps the present value. */
        public static PinRequest of(
                String key, @Nullable Integer parallelism, @Nullable Integer rate, @Nullable String period) {
            return new PinRequest(key, null, null, number(parallelism), number(rate), text(period), null);
        }

        /** Pins these values and no others. A null argument clears the value. */
        public static PinRequest exactly(
                String key, @Nullable Integer parallelism, @Nullable Integer rate, @Nullable String period) {
            return new PinRequest(
                    key,
                    null,
                    null,
                    orNull(number(parallelism)),
                    orNull(number(rate)),
                    orNull(text(period)),
                    JsonNodeFactory.instance.nullNode());
        }

        private static @Nullable JsonNode number(@Nullable Integer value) {
            return value == null ? null : JsonNodeFactory.instance.numberNode(value);
        }

        private static @Nullable JsonNode text(@Nullable String value) {
            return value == null ? null : JsonNodeFactory.instance.stringNode(value);
        }

        private static JsonNode orNull(@Nullable JsonNode value) {
            return value == null ? JsonNodeFactory.instance.nullNode() : value;
        }
    }

    /**
     * The outcome of an operator's action.
     *
     * @param outcome paused, resumed, not_paused, pinned, unpinned, not_pinned or reset
     * @param warnings waiting steps that are wider than the pinned values, so that they cannot start; absent if there
     *     are none
     */
    public record KeyAction(
            String key, String outcome, @Nullable List<String> warnings) {}

    static String checked(@Nullable String key) {
        String text = InvalidValue.text("key", key, KEY_BYTES_MAX);
        int bytes = text.getBytes(java.nio.charset.StandardCharsets.UTF_8).length;
        if (bytes > KEY_BYTES_MAX) {
            throw new InvalidValue("key", "at most " + KEY_BYTES_MAX + " bytes", String.valueOf(bytes));
        }
        return text;
    }
}
