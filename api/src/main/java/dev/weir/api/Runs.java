package dev.weir.api;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Runs and their steps as people look at them. */
public final class Runs {
    /** Characters of what people write. */
    private static final int TEXT_CHARS_MAX = 1_024;

    private Runs() {}

    /** A run in a list. */
    public record RunSummary(
            String id,
            String workflow,
            int version,
            String state,
            int priority,
            Map<String, String> labels,
            Instant acceptedAt,
            @Nullable Instant startedAt,
            @Nullable Instant endedAt,
            @Nullable String reason,
            @Nullable Deadline deadline) {}

    /**
     * When a run must have ended.
     *
     * @param near whether four fifths of its time are over
     */
    public record Deadline(Instant at, boolean near) {}

    public record RunPage(List<RunSummary> runs, @Nullable String next) {}

    /**
     * A run and all its steps.
     *
     * @param runningSteps what of it is in flight, oldest grant first
     * @param why what keeps it from starting, while it is queued
     * @param rateLimitHoldUntil when it is looked at again, as far as that is known
     * @param origin what led to it; absent = nothing but the one who asked for it
     */
    public record RunView(
            String id,
            String workflow,
            int version,
            String state,
            int priority,
            JsonNode input,
            Map<String, String> labels,
            Instant acceptedAt,
            @Nullable Instant startedAt,
            @Nullable Instant endedAt,
            @Nullable String reason,
            @Nullable Overrides overrides,
            List<Work.Unit> runningSteps,
            List<StepView> steps,
            @Nullable List<Why.Reason> why,
            @Nullable Instant rateLimitHoldUntil,
            @Nullable Origin origin,
            @Nullable Deadline deadline) {}

    /**
     * What led to a run besides the one who asked for it.
     *
     * @param retryOf the run that it is another try of
     * @param parent the step or item that has invoked it
     * @param root the run that the chain of runs and events began with
     * @param depth how many runs and events come before it in that chain
     */
    public record Origin(
            @Nullable String retryOf,
            @Nullable Parent parent,
            @Nullable String root,
            int depth) {}

    /** A step or item that has invoked a run. */
    public record Parent(String run, String step, @Nullable Integer item) {}

    /**
     * A step or item.
     *
     * @param status ready, blocked, complete or error
     * @param state exactly where it is in its life
     * @param held whether it is ready and something holds it
     * @param outcome how the last try ended: completed, no_op, failed or rescheduled
     * @param due when it goes on by itself
     * @param reason the first thing that keeps it from starting
     * @param child the run that it has invoked
     * @param approval what was last decided about its gate
     */
    public record StepView(
            String id,
            @Nullable Integer item,
            String status,
            String state,
            boolean held,
            long fence,
            int attempts,
            @Nullable JsonNode input,
            @Nullable String outcome,
            @Nullable JsonNode output,
            @Nullable String error,
            @Nullable Items items,
            @Nullable Instant since,
            @Nullable Instant due,
            @Nullable Instant endedAt,
            Why.@Nullable Reason reason,
            @Nullable String child,
            @Nullable Approval approval) {}

    /**
     * What a person has decided about a gate.
     *
     * @param approved whether the step may go on; if not, an approval was taken back
     * @param by who
     * @param at when
     */
    public record Approval(
            boolean approved, String by, @Nullable String note, Instant at) {}

    /**
     * How far a fan-out is.
     *
     * @param requested items that wait
     * @param freeSlots how many more may be in flight; absent where that is not limited
     */
    public record Items(
            int total,
            int requested,
            int inFlight,
            int ended,
            int failed,
            @Nullable Integer freeSlots,
            int siblingsRemaining) {}

    public record StepList(List<StepView> steps) {}

    public record ItemPage(List<StepView> items, @Nullable String next) {}

    /** An operator's values for one run; null clears. */
    public record Overrides(
            @Nullable Integer maxParallel, @Nullable Integer maxConcurrentSteps) {
        public Overrides {
            positive("max_parallel", maxParallel);
            positive("max_concurrent_steps", maxConcurrentSteps);
        }

        private static void positive(String field, @Nullable Integer value) {
            if (value != null && value < 1) {
                throw new Invalid(field, "at least 1 (to stop a run, pause it)", String.valueOf(value));
            }
        }
    }

    /**
     * Cancels a run.
     *
     * @param policy allow_finish or cancel_running; absent = what the workflow says
     */
    public record CancelRequest(
            @Nullable String policy, @Nullable String reason) {
        public CancelRequest {
            checkText("reason", reason);
        }
    }

    /** What an operator is told: the run's state now, and whether anything has changed. */
    public record RunAction(
            String id,
            String state,
            boolean changed,
            @Nullable String warning) {}

    /**
     * What a person decides about a gate.
     *
     * @param by who
     * @param note what that person has to say to it
     */
    public record GateRequest(@Nullable String by, @Nullable String note) {
        public GateRequest {
            checkText("by", by);
            checkText("note", note);
        }
    }

    /** What a person gives to a step, or an item of it, that needs input. */
    public record InputRequest(@Nullable Integer item, JsonNode input) {
        public InputRequest {
            input = Invalid.present("input", "any JSON", input);
        }
    }

    /**
     * A signal.
     *
     * @param id tells it from others of the run: the same again is no second signal
     * @param payload what it carries; absent = nothing
     */
    public record SignalRequest(
            @Nullable String id, @Nullable JsonNode payload) {
        private static final int ID_CHARS_MAX = 256;

        public SignalRequest {
            if (id != null) {
                Invalid.text("id", id, ID_CHARS_MAX);
            }
        }
    }

    /** An output that mends one which is wrong. */
    public record OutputRequest(JsonNode output, @Nullable String by) {
        public OutputRequest {
            output = Invalid.present("output", "any JSON", output);
            checkText("by", by);
        }
    }

    /**
     * More time for a run.
     *
     * @param in how long from now, such as 2h
     */
    public record DeadlineRequest(String in) {
        public DeadlineRequest {
            in = Invalid.text("in", in, TEXT_CHARS_MAX);
        }
    }

    /** That a person gives up a step, or an item of it, that needs input. */
    public record AbandonRequest(
            @Nullable Integer item,
            @Nullable String by,
            @Nullable String reason) {
        public AbandonRequest {
            checkText("by", by);
            checkText("reason", reason);
        }
    }

    private static void checkText(String field, @Nullable String text) {
        if (text != null) {
            Invalid.text(field, text, TEXT_CHARS_MAX);
        }
    }

    /**
     * What became of a step, or an item of it, that somebody has decided about.
     *
     * @param result what was done
     * @param state where it is in its life now
     */
    public record StepAction(
            String run, String step, @Nullable Integer item, String result, String state) {}
}
