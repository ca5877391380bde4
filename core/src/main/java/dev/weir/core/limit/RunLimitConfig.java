package dev.weir.core.limit;

import org.jspecify.annotations.Nullable;

/**
 * An operator's values for the limits on the runs of an organisation, of a workflow, or of one run key. Like a pin, they
 * replace the values of every version of the definition at once, until they are cleared or expire. A field without a
 * value leaves the definition's in force.
 *
 * @param maxConcurrentRunsPerKey the runs of each run key; only for a workflow
 * @param maxQueuedRuns the number of waiting runs at which further starts are refused; without a value, none is
 * @param defaultDebounce the quiet period of triggers that define none, in microseconds
 * @param noticeOldestWaiter the waiting time at which a notice is issued, in microseconds; only of the organisation
 * @param noticeDeadLetters the number of open dead letters at which a notice is issued; only of the organisation
 * @param change the last change, which is kept even after all values were cleared: the version must never repeat
 */
public record RunLimitConfig(
        OperatorSetting<Integer> maxConcurrentRuns,
        OperatorSetting<Integer> runsPerMinute,
        OperatorSetting<Integer> maxConcurrentRunsPerKey,
        OperatorSetting<Integer> maxCascadeDepth,
        OperatorSetting<Integer> maxQueuedRuns,
        OperatorSetting<Long> defaultDebounce,
        OperatorSetting<Long> noticeOldestWaiter,
        OperatorSetting<Integer> noticeDeadLetters,
        Change change) {
    /** The version of a configuration that nobody has changed yet. */
    public static final long NO_VERSION = 0;

    /** The period of {@code runs_per_minute}, in microseconds. */
    public static final long MINUTE_MICROS = 60_000_000;

    /** The configuration without any value. */
    public static final RunLimitConfig NONE = new RunLimitConfig(
            OperatorSetting.none(),
            OperatorSetting.none(),
            OperatorSetting.none(),
            OperatorSetting.none(),
            OperatorSetting.none(),
            OperatorSetting.none(),
            OperatorSetting.none(),
            OperatorSetting.none(),
            new Change(NO_VERSION, null, null, 0));

    /**
     * A change by an operator.
     *
     * @param version the number of changes so far
     * @param actor the name of the operator; absent if it is not known
     * @param reason the operator's reason; absent if none was given
     */
    public record Change(
            long version, @Nullable String actor, @Nullable String reason, long at) {}

    /** The same values as a pin on the limit that the runs share; null if there are none. */
    public @Nullable Pin toPin() {
        if (maxConcurrentRuns.equals(OperatorSetting.none()) && runsPerMinute.equals(OperatorSetting.none())) {
            return null;
        }
        Integer lasting = runsPerMinute.lasting();
        Integer temporary = runsPerMinute.temporary();
        return new Pin(
                maxConcurrentRuns,
                new OperatorSetting<>(
                        lasting == null ? null : Rate.sliding(lasting, MINUTE_MICROS),
                        temporary == null ? null : Rate.sliding(temporary, MINUTE_MICROS),
                        runsPerMinute.until()));
    }

    /** True if both configurations have the same values. */
    public boolean hasSameValues(RunLimitConfig other) {
        return maxConcurrentRuns.equals(other.maxConcurrentRuns)
                && runsPerMinute.equals(other.runsPerMinute)
                && maxConcurrentRunsPerKey.equals(other.maxConcurrentRunsPerKey)
                && maxCascadeDepth.equals(other.maxCascadeDepth)
                && maxQueuedRuns.equals(other.maxQueuedRuns)
                && defaultDebounce.equals(other.defaultDebounce)
                && noticeOldestWaiter.equals(other.noticeOldestWaiter)
                && noticeDeadLetters.equals(other.noticeDeadLetters);
    }
}
