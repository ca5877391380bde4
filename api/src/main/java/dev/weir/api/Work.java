package dev.weir.api;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Requests of workers and the responses to them. Durations are texts with a unit, such as 30s. */
public final class Work {
    /** The most entries of one batch. */
    public static final int BATCH_MAX = 500;
    /** The outcome of an entry that was not carried out although other entries of its batch were. */
    public static final String REFUSED = "refused";

    private static final int NAME_CHARS_MAX = 256;

    private Work() {}

    /** The defaults of a module: how much its steps take of their run's limits unless the step says otherwise. */
    public record ConcurrencyProfile(
            @Nullable Integer slots, @Nullable Boolean exclusive) {}

    /** A module that a worker serves. On the wire, its id alone, as a text, is enough. */
    public record ModuleInfo(
            String id,
            @Nullable String name,
            @Nullable String version,
            @Nullable ConcurrencyProfile concurrency) {
        public ModuleInfo {
            id = InvalidValue.text("id", id, NAME_CHARS_MAX);
        }

        @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
        public static ModuleInfo of(String id) {
            return new ModuleInfo(id, null, null, null);
        }
    }

    /**
     * A worker's request for claims.
     *
     * @param run the only run whose steps may be claimed; absent = any run
     * @param steps the only steps of that run that may be claimed
     * @param moduleIds another name for {@code steps}: in a workflow whose steps are called modules, these are
     *     their ids
     * @param limit the most claims to return; absent = 1
     * @param waitTime the time to wait for work, up to 20s; absent = no waiting; called {@code wait} on the wire
     * @param lease the time that a claim lasts without a heartbeat; absent = 30s
     * @param requestId an id that makes a repeated request return the same claims; absent = the server generates
     *     one
     * @param updates reports to apply before the claims are granted; a request with reports does not wait for work.
     *     The server reads each of them on its own
     */
    public record ClaimRequest(
            @Nullable List<ModuleInfo> modules,
            @Nullable String run,
            @Nullable List<String> steps,
            @Nullable Integer limit,
            @JsonProperty("wait") @Nullable String waitTime,
            @Nullable String lease,
            @Nullable String requestId,
            @Nullable String worker,
            @Nullable List<String> moduleIds,
            @Nullable List<ModuleStatusUpdate> updates) {
        public ClaimRequest {
            modules = modules == null ? List.of() : InvalidValue.each("modules", "a module", modules);
            if (steps != null && moduleIds != null) {
                throw new InvalidValue("module_ids", "either steps or module_ids", "both");
            }
            String chosen = moduleIds == null ? "steps" : "module_ids";
            steps = moduleIds == null ? steps : moduleIds;
            moduleIds = null;
            steps = steps == null ? List.of() : InvalidValue.texts(chosen, steps, NAME_CHARS_MAX);
            limit = limit == null ? 1 : limit;
            if (limit < 1 || limit > BATCH_MAX) {
                throw new InvalidValue("limit", "a number from 1 to " + BATCH_MAX, String.valueOf(limit));
            }
            if (run == null && modules.isEmpty()) {
                throw new InvalidValue("modules", "at least one module, or a run", "neither");
            }
            if (run == null && !steps.isEmpty()) {
                throw new InvalidValue(chosen, "a run together with " + chosen, "no run");
            }
            if (modules.size() > BATCH_MAX || steps.size() > 1_000) {
                throw new InvalidValue("modules", "at most " + BATCH_MAX + " modules and 1000 steps", "more");
            }
            if (requestId != null) {
                InvalidValue.text("request_id", requestId, NAME_CHARS_MAX);
            }
            if (worker != null) {
                InvalidValue.text("worker", worker, NAME_CHARS_MAX);
            }
        }

        public ClaimRequest(
                @Nullable List<ModuleInfo> modules,
                @Nullable String run,
                @Nullable List<String> steps,
                @Nullable Integer limit,
                @Nullable String waitTime,
                @Nullable String lease,
                @Nullable String requestId,
                @Nullable String worker) {
            this(modules, run, steps, limit, waitTime, lease, requestId, worker, null, null);
        }

        public List<ModuleInfo> servedModules() {
            return modules == null ? List.of() : modules;
        }

        public List<String> chosenSteps() {
            return steps == null ? List.of() : steps;
        }

        public int limitOrDefault() {
            return limit == null ? 1 : limit;
        }
    }

    /**
     * A worker's right to a step or item.
     *
     * @param item the index of the item; absent for a step without a fan-out
     * @param fence a number greater than that of every earlier claim of the same step or item
     * @param attempt the number of the attempt, from 1
     * @param effectNumber the number of the previous claim while the outcome of its attempt is unknown, otherwise a
     *     greater one
     * @param provided the input that a person has provided since, because the step needed it
     * @param lease the time that the claim lasts without a heartbeat, such as 30s
     */
    public record WorkClaim(
            String run,
            String step,
            @Nullable Integer item,
            String module,
            long fence,
            int attempt,
            int effectNumber,
            JsonNode input,
            @Nullable JsonNode provided,
            String lease) {}

    /**
     * The granted claims, possibly none.
     *
     * @param state the snapshot of the run after the claim; absent if the request names no run, or the run cannot
     *     be read now
     * @param results one result for each report of the request, in its order; absent if it had none
     */
    public record ClaimResult(
            List<WorkClaim> claims,
            @Nullable EngineState state,
            @Nullable List<UpdateResult> results) {}

    /**
     * The snapshot of a run.
     *
     * @param runningSteps the steps and items in flight, oldest grant first
     * @param steps every step, in the order of the definition
     */
    public record EngineState(String run, String state, List<Unit> runningSteps, List<StepStatus> steps) {}

    /**
     * A step in the snapshot of its run.
     *
     * @param status ready, blocked, complete or error
     * @param state the exact state
     * @param held true if the step is ready and a limit or a missing worker keeps it from starting
     * @param items the progress of its fan-out; absent if it has none
     * @param reason the first reason that keeps it from starting, or already_running
     */
    public record StepStatus(
            String id,
            String status,
            String state,
            boolean held,
            Runs.@Nullable Items items,
            Why.@Nullable Reason reason) {}

    /** A step, or one item of it. */
    public record Unit(String step, @Nullable Integer item) {}

    /**
     * A worker's report about an attempt.
     *
     * @param result completed, failed, no_op, needs_input or rescheduled; no-op and needs-input are accepted too
     * @param output the output of a completed step that later steps see, or the prompt for a person if the step
     *     needs input
     * @param error the reason for a failure
     * @param permanent true if a retry cannot help
     * @param delay for a rescheduled step, the time until the next attempt; for a failed one, the retry-after time
     *     of the called service: the step's keys are held for that time, for every step that uses them
     */
    public record ModuleStatusUpdate(
            String run,
            String step,
            @Nullable Integer item,
            Long fence,
            String result,
            @Nullable JsonNode output,
            @Nullable String error,
            @Nullable Boolean permanent,
            @Nullable String delay) {
        public ModuleStatusUpdate {
            run = InvalidValue.text("run", run, NAME_CHARS_MAX);
            step = InvalidValue.text("step", step, NAME_CHARS_MAX);
            fence = InvalidValue.present("fence", "the claim's fence", fence);
            result = InvalidValue.text("result", result, NAME_CHARS_MAX);
        }

        public static ModuleStatusUpdate completed(WorkClaim claim, @Nullable JsonNode output) {
            return of(claim, "completed", output, null, null);
        }

        public static ModuleStatusUpdate failed(WorkClaim claim, String error, boolean permanent) {
            return of(claim, "failed", null, error, permanent);
        }

        /** Returns a copy of this report with a delay. */
        public ModuleStatusUpdate withDelay(String other) {
            return new ModuleStatusUpdate(run, step, item, fence, result, output, error, permanent, other);
        }

        private static ModuleStatusUpdate of(
                WorkClaim claim,
                String result,
                @Nullable JsonNode output,
                @Nullable String error,
                @Nullable Boolean permanent) {
            return new ModuleStatusUpdate(
                    claim.run(), claim.step(), claim.item(), claim.fence(), result, output, error, permanent, null);
        }
    }

    public record UpdateRequest(List<ModuleStatusUpdate> updates) {
        public UpdateRequest {
            updates = entries("updates", updates);
        }
    }

    /**
     * The result for one report. For a report that could not be read, it holds the fields that could be read.
     *
     * @param outcome applied, replayed, update_conflict, claim_superseded, run_terminal, not_found or refused
     * @param detail the reason for a refusal, and its position in the request
     */
    public record UpdateResult(
            @Nullable String run,
            @Nullable String step,
            @Nullable Integer item,
            @Nullable Long fence,
            String outcome,
            @Nullable String detail) {}

    /**
     * One result for each report, in the order of the request.
     *
     * @param state the snapshot of the run after the reports; absent if they concern several runs, the request
     *     wants none, or the run cannot be read now
     */
    public record UpdateResults(
            List<UpdateResult> results, @Nullable EngineState state) {}

    /** A worker's message that it still works on a claim. */
    public record Heartbeat(
            String run, String step, @Nullable Integer item, Long fence) {
        public Heartbeat {
            run = InvalidValue.text("run", run, NAME_CHARS_MAX);
            step = InvalidValue.text("step", step, NAME_CHARS_MAX);
            fence = InvalidValue.present("fence", "the claim's fence", fence);
        }

        public static Heartbeat of(WorkClaim claim) {
            return new Heartbeat(claim.run(), claim.step(), claim.item(), claim.fence());
        }
    }

    public record HeartbeatRequest(List<Heartbeat> heartbeats) {
        public HeartbeatRequest {
            heartbeats = entries("heartbeats", heartbeats);
        }
    }

    /**
     * The result for one heartbeat. For a heartbeat that could not be read, it holds the fields that could be read.
     *
     * @param outcome extended, claim_lost or refused
     * @param remainingMs the time that the claim lasts from now
     * @param cancelRequested true if the run is to be cancelled, so that the worker should stop
     * @param detail the reason for a refusal, and its position in the request
     */
    public record HeartbeatResult(
            @Nullable String run,
            @Nullable String step,
            @Nullable Integer item,
            @Nullable Long fence,
            String outcome,
            @Nullable Long remainingMs,
            @Nullable Boolean cancelRequested,
            @Nullable String detail) {}

    public record HeartbeatResults(List<HeartbeatResult> results) {}

    private static <T> List<T> entries(String field, @Nullable List<T> entries) {
        List<T> list = InvalidValue.each(field, "an entry", InvalidValue.present(field, "a list", entries));
        if (list.isEmpty() || list.size() > BATCH_MAX) {
            throw new InvalidValue(field, "from 1 to " + BATCH_MAX + " entries", String.valueOf(list.size()));
        }
        return list;
    }
}
