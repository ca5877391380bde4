package dev.weir.api;

import dev.weir.api.Keys.KeyRequest;
import dev.weir.api.Keys.PinRequest;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The prediction of the course of the waiting work, now and with a change of limits. */
public final class WhatIf {
    private WhatIf() {}

    /**
     * A request for a prediction.
     *
     * @param change absent = only the present course is predicted
     */
    public record WhatIfRequest(@Nullable Change change) {}

    /** One change, as the request that would make it. Exactly one field is given. */
    public record Change(
            @Nullable PinRequest pin,
            @Nullable KeyRequest unpin,
            @Nullable KeyRequest pause,
            @Nullable KeyRequest resume,
            @Nullable LimitsChange limits) {
        public Change {
            long given = Arrays.<@Nullable Object>asList(pin, unpin, pause, resume, limits).stream()
                    .filter(Objects::nonNull)
                    .count();
            if (given != 1) {
                throw new InvalidValue(
                        "change",
                        "one of pin, unpin, pause, resume and limits",
                        given == 0 ? "none" : given + " of them");
            }
        }
    }

    /**
     * A change of limits on runs.
     *
     * @param workflow absent for the organisation
     * @param runKey absent for all runs of the workflow
     */
    public record LimitsChange(
            @Nullable String workflow, @Nullable String runKey, Limits.RunLimitsRequest values) {
        public LimitsChange {
            if (values == null) {
                throw new InvalidValue("values", "the limits to change", "nothing");
            }
            if (runKey != null && workflow == null) {
                throw new InvalidValue("workflow", "the workflow of the run key", "nothing");
            }
        }
    }

    /**
     * The prediction.
     *
     * @param at the time of the backlog from which it starts
     * @param changed the course with the change; absent if none was given
     */
    public record Answer(
            Instant at,
            Backlog backlog,
            Prediction present,
            @Nullable Prediction changed,
            Assumptions assumptions) {}

    /**
     * The size of the backlog.
     *
     * @param oneIn of how many waiting ones each predicted one stands; absent if none is left out
     */
    public record Backlog(
            int runs,
            long waiting,
            boolean sampled,
            @Nullable Integer oneIn) {}

    /**
     * A predicted course.
     *
     * @param end drained, stuck or cut_off
     * @param drainedAt the first time at which nothing waits any more; absent if the prediction does not reach it
     * @param until the time up to which the course was predicted
     * @param longestWaitSeconds the longest wait of those that start; absent if none starts
     * @param waiting the number that wait at the end
     * @param target the course of the changed limit; absent without a change
     * @param nextLimit the limit that holds most of the work, apart from the changed one; absent if none does
     * @param heldBy what holds the work most
     */
    public record Prediction(
            String end,
            @Nullable Instant drainedAt,
            Instant until,
            @Nullable Double longestWaitSeconds,
            long waiting,
            @Nullable Target target,
            @Nullable HoldingLimit nextLimit,
            List<HoldingLimit> heldBy) {}

    /**
     * The work that needs the changed limit.
     *
     * @param emptyAt the first time at which none of it waits; absent if the prediction does not reach it
     */
    public record Target(long waiting, @Nullable Instant emptyAt) {}

    /**
     * A limit that holds work.
     *
     * @param key the key or run key, if it belongs to one
     * @param workflow the workflow, if it belongs to one
     * @param name its name in words
     * @param share the part of all waiting that it causes, from 0 to 1
     */
    public record HoldingLimit(
            String kind,
            String cause,
            @Nullable String key,
            @Nullable String workflow,
            String name,
            double share) {}

    /** The assumptions of the prediction: durations of steps, and sentences about the rest. */
    public record Assumptions(List<AssumedDuration> durations, List<String> notes) {}

    /**
     * The assumed duration of the attempts of a step.
     *
     * @param attempts the number of finished attempts of which it is the median; 0 if none is known
     */
    public record AssumedDuration(String workflow, String step, double seconds, int attempts) {}
}
