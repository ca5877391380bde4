package dev.weir.api;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** What workers ask and report. Durations are texts with a unit, such as 30s. */
public final class Work {
    /** Entries of one batch. */
    public static final int BATCH_MAX = 500;
    /** The result of an entry of a batch that was not carried out, beside others that were. */
    public static final String REFUSED = "refused";

    private static final int NAME_CHARS_MAX = 256;

    private Work() {}

    /** What a module's steps ask of their run where they do not say themselves. */
    public record ConcurrencyProfile(
            @Nullable Integer slots, @Nullable Boolean exclusive) {}

    /** A module that a worker serves; its id alone, as a text, is enough. */
    public record ModuleInfo(
            String id,
            @Nullable String name,
            @Nullable String version,
            @Nullable ConcurrencyProfile concurrency) {
        public ModuleInfo {
            id = Invalid.text("id", id, NAME_CHARS_MAX);
        }

        @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
        public static ModuleInfo of(String id) {
            return new ModuleInfo(id, null, null, null);
        }
    }

    /**
     * Asks for work.
     *
     * @param run claims steps of this run only
     * @param steps claims these steps of the run only
     * @param limit how many claims at the most; absent = 1
     * @param waitTime how long to wait for work, up to 20s; absent = not at all; on the wire it is called wait
     * @param lease how long a claim lasts without a heartbeat; absent = 30s
     * @param requestId the same again gives the same claims; absent = one is made up
     */
    public record ClaimRequest(
            @Nullable List<ModuleInfo> modules,
            @Nullable String run,
            @Nullable List<String> steps,
            @Nullable Integer limit,
            @JsonProperty("wait") @Nullable String waitTime,
            @Nullable String lease,
            @Nullable String requestId,
            @Nullable String worker) {
        public ClaimRequest {
            modules = modules == null ? List.of() : Invalid.each("modules", "a module", modules);
            steps = steps == null ? List.of() : Invalid.texts("steps", steps, NAME_CHARS_MAX);
            limit = limit == null ? 1 : limit;
            if (limit < 1 || limit > BATCH_MAX) {
                throw new Invalid("limit", "a number from 1 to " + BATCH_MAX, String.valueOf(limit));
            }
            if (run == null && modules.isEmpty()) {
                throw new Invalid("modules", "at least one module, or a run", "neither");
            }
            if (run == null && !steps.isEmpty()) {
                throw new Invalid("steps", "a run beside the steps", "no run");
            }
            if (modules.size() > BATCH_MAX || steps.size() > 1_000) {
                throw new Invalid("modules", "at most " + BATCH_MAX + " modules and 1000 steps", "more");
            }
            if (requestId != null) {
                Invalid.text("request_id", requestId, NAME_CHARS_MAX);
            }
            if (worker != null) {
                Invalid.text("worker", worker, NAME_CHARS_MAX);
            }
        }

        public List<ModuleInfo> servedModules() {
            return modules == null ? List.of() : modules;
        }

        public List<String> chosenSteps() {
            return steps == null ? List.of() : steps;
        }

        public int most() {
            return limit == null ? 1 : limit;
        }
    }

    /**
     * A worker's right to a step or item.
     *
     * @param item its index; absent for a step that is not fanned out
     * @param fence greater than that of every earlier claim of the same step or item
     * @param attempt which try it is, from 1
     * @param provided what a person has given since, because the step needed it
     * @param leaseMs how long it lasts without a heartbeat
     */
    public record WorkClaim(
            String run,
            String step,
            @Nullable Integer item,
            String module,
            long fence,
            int attempt,
            JsonNode input,
            @Nullable JsonNode provided,
            long leaseMs) {}

    /** The claims, and the run as it is then where one was asked for. */
    public record ClaimResult(
            List<WorkClaim> claims, @Nullable EngineState state) {}

    /** A run at the moment of a claim. */
    public record EngineState(String run, String state, List<Unit> runningSteps) {}

    /** A step or item. */
    public record Unit(String step, @Nullable Integer item) {}

    /**
     * How a try went.
     *
     * @param result completed, failed, no_op, needs_input or rescheduled; no-op and needs-input are read too
     * @param output what later steps see of a completed one, or what a person is asked where it needs input
     * @param error why it failed
     * @param permanent whether trying again would be in vain
     * @param delay after which it is tried again when it is rescheduled; when it failed, how long the one that was called
     *     wants to be left alone: the keys of the step are held so long, for all who use them
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
            run = Invalid.text("run", run, NAME_CHARS_MAX);
            step = Invalid.text("step", step, NAME_CHARS_MAX);
            fence = Invalid.present("fence", "the claim's fence", fence);
            result = Invalid.text("result", result, NAME_CHARS_MAX);
        }

        public static ModuleStatusUpdate completed(WorkClaim claim, @Nullable JsonNode output) {
            return of(claim, "completed", output, null, null);
        }

        public static ModuleStatusUpdate failed(WorkClaim claim, String error, boolean permanent) {
            return of(claim, "failed", null, error, permanent);
        }

        /** The same with a delay. */
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
     * What became of one report. Of one that could not be read it names what could.
     *
     * @param result applied, replayed, update_conflict, claim_superseded, run_terminal, not_found or refused
     * @param detail why it was refused, and where in the request that stands
     */
    public record UpdateResult(
            @Nullable String run,
            @Nullable String step,
            @Nullable Integer item,
            @Nullable Long fence,
            String result,
            @Nullable String detail) {}

    public record UpdateResults(List<UpdateResult> results) {}

    /** That a worker is still at work on a claim. */
    public record Heartbeat(
            String run, String step, @Nullable Integer item, Long fence) {
        public Heartbeat {
            run = Invalid.text("run", run, NAME_CHARS_MAX);
            step = Invalid.text("step", step, NAME_CHARS_MAX);
            fence = Invalid.present("fence", "the claim's fence", fence);
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
     * What became of one heartbeat. Of one that could not be read it names what could.
     *
     * @param result extended, claim_lost or refused
     * @param remainingMs how long the claim lasts from now
     * @param cancelRequested whether the worker had better stop
     * @param detail why it was refused, and where in the request that stands
     */
    public record HeartbeatResult(
            @Nullable String run,
            @Nullable String step,
            @Nullable Integer item,
            @Nullable Long fence,
            String result,
            @Nullable Long remainingMs,
            @Nullable Boolean cancelRequested,
            @Nullable String detail) {}

    public record HeartbeatResults(List<HeartbeatResult> results) {}

    private static <T> List<T> entries(String field, @Nullable List<T> entries) {
        List<T> list = Invalid.each(field, "an entry", Invalid.present(field, "a list", entries));
        if (list.isEmpty() || list.size() > BATCH_MAX) {
            throw new Invalid(field, "from 1 to " + BATCH_MAX + " entries", String.valueOf(list.size()));
        }
        return list;
    }
}
