package dev.weir.api;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Requests and responses about runs and their steps. */
public final class Runs {
    /** The longest text that a person writes, such as a reason, in characters. */
    private static final int TEXT_CHARS_MAX = 1_024;

    private Runs() {}

    /**
     * A run in a list.
     *
     * @param startedBy the token, program or database user that started it; absent if a step invoked it
     * @param progress how far it is; absent unless asked for, and once the run has ended
     */
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
            @Nullable Deadline deadline,
            @Nullable String startedBy,
            @Nullable RunProgress progress) {}

    /**
     * The progress of a live run.
     *
     * @param ended the number of steps that have ended
     * @param waiting the first reason for which one of its steps, or the run itself, waits
     */
    public record RunProgress(int steps, int ended, Why.@Nullable Reason waiting) {}

    /**
     * The time by which a run must have ended.
     *
     * @param near true if four fifths of its time have passed
     */
    public record Deadline(Instant at, boolean near) {}

    public record RunPage(List<RunSummary> runs, @Nullable String next) {}

    /**
     * A run and all its steps.
     *
     * @param runningSteps the steps and items in flight, oldest grant first
     * @param why the reasons that keep it from starting, while it is queued
     * @param rateLimitHoldUntil the latest time at which the limits that hold a queued run are judged again
     * @param origin the run or step that led to it; absent = only the caller's request did
     * @param startedBy the token, program or database user that started it; absent if a step invoked it
     * @param correlationId the id that it shares with all runs and events of its chain
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
            @Nullable Deadline deadline,
            @Nullable String startedBy,
            String correlationId) {}

    /**
     * The lineage of a run.
     *
     * @param retryOf the run that it retries
     * @param parent the step or item that invoked it
     * @param root the run with which its chain of runs and events began
     * @param depth the number of runs, and of events that runs emitted, before it in that chain
     * @param chain the runs and events before it, oldest first
     */
    public record Origin(
            @Nullable String retryOf,
            @Nullable Parent parent,
            @Nullable String root,
            int depth,
            List<Link> chain) {}

    /**
     * A run or an event of a chain.
     *
     * @param kind run or event
     * @param name the workflow of the run, or the name of the event
     */
    public record Link(String kind, String id, String name) {}

    /** A step or item that invoked a run. */
    public record Parent(String run, String step, @Nullable Integer item) {}

    /**
     * A step or item.
     *
     * @param status ready, blocked, complete or error
     * @param state the exact state
     * @param held true if it is ready and a limit or a missing worker keeps it from starting
     * @param outcome the outcome of the last attempt: completed, no_op, failed, rescheduled or needs_input
     * @param grantedAt the time at which its live claim was granted, or the claim with which it ended
     * @param due the time at which it continues by itself
     * @param reason the first reason that keeps it from starting
     * @param child the run that it has invoked
     * @param approval the last decision about its gate
     * @param reportedBy the source of its last report; absent if there is none, or if the node's own process made it
     * @param signal the signal that it received
     * @param waited its finished waits, while its run is live
     * @param waitingSince the time from which its present wait counts
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
            @Nullable Instant grantedAt,
            @Nullable Instant due,
            @Nullable Instant endedAt,
            Why.@Nullable Reason reason,
            @Nullable String child,
            @Nullable Approval approval,
            @Nullable Reporter reportedBy,
            @Nullable ReceivedSignal signal,
            @Nullable List<Times.Wait> waited,
            @Nullable Instant waitingSince) {}

    /**
     * The source of a report.
     *
     * @param actor the API token that sent it
     * @param worker the name that the worker gave when it claimed
     */
    public record Reporter(String actor, String worker) {}

    /**
     * The signal that a step received.
     *
     * @param id the sender's id of the signal
     * @param sentBy the token or program that sent it
     */
    public record ReceivedSignal(
            @Nullable String id, @Nullable String sentBy) {}

    /**
     * A person's decision about a gate.
     *
     * @param approved true if the step may start; false if an approval was revoked
     * @param by the person who decided
     * @param at the time of the decision
     */
    public record Approval(
            boolean approved, String by, @Nullable String note, Instant at) {}

    /**
     * The progress of a fan-out.
     *
     * @param requested the number of items that wait
     * @param freeSlots the number of further items that may be in flight; absent if that is unlimited
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

    /**
     * An operator's values that are in force for one run.
     *
     * @param until the time at which the first temporary value ends; absent if all are lasting
     * @param lasting the values that apply again when the temporary ones have ended; absent if all are lasting
     */
    public record Overrides(
            @Nullable Integer maxParallel,
            @Nullable Integer maxConcurrentSteps,
            @Nullable Instant until,
            @Nullable Overrides lasting) {}

    /**
     * A change of an operator's values for one run. Null clears a value. An absent field keeps its value with PATCH
     * and clears it with PUT.
     *
     * @param maxParallel a whole number
     * @param maxConcurrentSteps a whole number
     * @param forTime the time for which the new values apply, before the lasting ones apply again; absent = the new
     *     values are lasting
     * @param reason the operator's reason, for the log
     */
    public record OverrideRequest(
            @Nullable JsonNode maxParallel,
            @Nullable JsonNode maxConcurrentSteps,

            @com.fasterxml.jackson.annotation.JsonProperty("for") @Nullable
            String forTime,

            @Nullable String reason) {
        public OverrideRequest {
            InvalidValue.countOrNull("max_parallel", maxParallel, "pause a run to stop it");
            InvalidValue.countOrNull("max_concurrent_steps", maxConcurrentSteps, "pause a run to stop it");
            boolean none = (maxParallel == null || maxParallel.isNull())
                    && (maxConcurrentSteps == null || maxConcurrentSteps.isNull());
            if (forTime != null && none) {
                throw new InvalidValue("for", "a value that applies for this time", "none");
            }
            checkText("reason", reason);
        }

        /** Returns a request for lasting values. A null argument is left out. */
        public static OverrideRequest of(@Nullable Integer maxParallel, @Nullable Integer maxConcurrentSteps) {
            return new OverrideRequest(number(maxParallel), number(maxConcurrentSteps), null, null);
        }

        private static @Nullable JsonNode number(@Nullable Integer value) {
            return value == null ? null : JsonNodeFactory.instance.numberNode(value);
        }
    }

    /**
     * A request to cancel a run.
     *
     * @param policy allow_finish or cancel_running; absent = the workflow's policy
     */
    public record CancelRequest(
            @Nullable String policy, @Nullable String reason) {
        public CancelRequest {
            checkText("reason", reason);
        }
    }

    /** The response to an operator's action: the run's state now, and whether the action changed anything. */
    public record RunAction(
            String id,
            String state,
            boolean changed,
            @Nullable String warning) {}

    /**
     * A request to approve a gate or to revoke an approval.
     *
     * @param by the person who decides
     * @param note that person's comment
     */
    public record GateRequest(@Nullable String by, @Nullable String note) {
        public GateRequest {
            checkText("by", by);
            checkText("note", note);
        }
    }

    /** The input that a person provides to a step or item that needs it. */
    public record InputRequest(@Nullable Integer item, JsonNode input) {
        public InputRequest {
            input = InvalidValue.present("input", "a JSON value", input);
        }
    }

    /**
     * A signal to a run.
     *
     * @param id the id of the signal within its run; a repeated id is ignored as a duplicate
     * @param payload the content of the signal; absent = none
     */
    public record SignalRequest(
            @Nullable String id, @Nullable JsonNode payload) {
        private static final int ID_CHARS_MAX = 256;

        public SignalRequest {
            if (id != null) {
                InvalidValue.text("id", id, ID_CHARS_MAX);
            }
        }
    }

    /** An output that replaces a wrong one. */
    public record OutputRequest(JsonNode output, @Nullable String by) {
        public OutputRequest {
            output = InvalidValue.present("output", "a JSON value", output);
            checkText("by", by);
        }
    }

    /**
     * A request for a later deadline of a run.
     *
     * @param in the new time limit from now, such as 2h
     */
    public record DeadlineRequest(String in) {
        public DeadlineRequest {
            in = InvalidValue.text("in", in, TEXT_CHARS_MAX);
        }
    }

    /** A person's decision to give up a step or item that needs input. */
    public record AbandonRequest(
            @Nullable Integer item,
            @Nullable String by,
            @Nullable String reason) {
        public AbandonRequest {
            checkText("by", by);
            checkText("reason", reason);
        }
    }

    /** An operator's request to put a step or item ahead of all others that wait. */
    public record RunNowRequest(
            @Nullable Integer item, @Nullable String reason) {
        public RunNowRequest {
            checkText("reason", reason);
        }
    }

    /**
     * The effect of a request to run a step or item now.
     *
     * @param outcome granted: a worker has it; no_worker: the next worker of its module gets it; held: a limit refuses
     *     it, and it starts first when that limit has room
     * @param state the state of the step or item now
     * @param reasons the reasons that keep it from starting, as the question why gives them
     */
    public record RunNowAnswer(
            String run, String step, @Nullable Integer item, String outcome, String state, List<Why.Reason> reasons) {}

    static void checkText(String field, @Nullable String text) {
        if (text != null) {
            InvalidValue.text(field, text, TEXT_CHARS_MAX);
        }
    }

    /**
     * The result of a person's decision about a step or item.
     *
     * @param outcome the action that was carried out
     * @param state the state of the step or item now
     */
    public record StepAction(
            String run, String step, @Nullable Integer item, String outcome, String state) {}
}
