package dev.weir.server.view;

import dev.weir.api.Why;
import dev.weir.core.admission.Explanation;
import dev.weir.core.admission.HoldCause;
import dev.weir.core.explain.WaitReason;
import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.LimitNeed;
import dev.weir.core.run.TicketOwner;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Converts the reasons for waiting to the wire format. */
public final class ReasonViews {
    private ReasonViews() {}

    public static List<Why.Reason> of(List<WaitReason> reasons) {
        return reasons.stream().map(ReasonViews::of).toList();
    }

    public static Why.Reason of(WaitReason reason) {
        return switch (reason) {
            case WaitReason.Dependency needs ->
                new Why.Reason(
                        "dependency",
                        "it needs steps that have not ended: " + String.join(", ", needs.steps()),
                        null,
                        needs.steps(),
                        null,
                        null,
                        null,
                        null);
            case WaitReason.Gate ignored -> plain("gate", "it waits for a person's approval", null);
            case WaitReason.Timer timer -> plain("timer", "it sleeps", WireWords.at(timer.until()));
            case WaitReason.Delayed delayed -> plain("delayed", "it is delayed", WireWords.at(delayed.until()));
            case WaitReason.Signal signal -> plain("signal", "it waits for signal " + signal.name(), null);
            case WaitReason.Child child -> plain("child", "it waits for run " + child.run(), null);
            case WaitReason.MissingInput missing -> plain("missing_input", String.valueOf(missing.problem()), null);
            case WaitReason.InvalidArtifact invalid ->
                plain(
                        "invalid_artifact",
                        "the output of " + invalid.step() + " is invalid: " + invalid.problem(),
                        null);
            case WaitReason.Operator ignored ->
                plain("operator", "it failed; its run is paused until an operator resumes it", null);
            case WaitReason.Backoff backoff ->
                plain(
                        "backoff",
                        "it waits for the retry after attempt " + backoff.attempts(),
                        WireWords.at(backoff.until()));
            case WaitReason.CallCapacity ignored ->
                plain("no_worker", "the node makes the maximum number of calls at once (weir up --calls)", null);
            case WaitReason.Rendering ignored -> plain("rendering", "Weir is evaluating its condition and input", null);
            case WaitReason.MakingItems making ->
                plain(
                        "making_items",
                        "Weir is creating its items: " + making.created() + " of " + making.total(),
                        null);
            case WaitReason.Suspended ignored -> plain("suspended", "its organisation is suspended", null);
            case WaitReason.Paused ignored -> plain("paused", "its run is paused", null);
            case WaitReason.NeedsInput needs ->
                plain(
                        "needs_input",
                        needs.provided()
                                ? "its input was provided; it waits for a worker"
                                : "it waits for input from a person",
                        null);
            case WaitReason.AlreadyRunning running -> alreadyRunning(running);
            case WaitReason.Held held -> held(held);
            case WaitReason.Blocked blocked -> blocked(blocked);
        };
    }

    private static Why.Reason plain(String code, String message, @Nullable Instant expected) {
        return new Why.Reason(
                code, message, null, null, null, null, expected, expected == null ? null : (Boolean) false);
    }

    private static Why.Reason alreadyRunning(WaitReason.AlreadyRunning running) {
        String by = running.worker() == null ? "it is running" : "worker " + running.worker() + " runs it";
        return new Why.Reason(
                "already_running", by, null, null, running.worker(), WireWords.at(running.since()), null, null);
    }

    private static Why.Reason held(WaitReason.Held held) {
        Why.Limit limit = held.limit() == null
                ? null
                : new Why.Limit(
                        id(held.limit()),
                        kind(held.limit()),
                        key(held.limit()),
                        WireWords.of(held.cause()),
                        null,
                        null,
                        null,
                        null,
                        null);
        String message = message(held.limit(), held.cause());
        return new Why.Reason(code(held.cause()), message, limit, null, null, null, null, null);
    }

    private static Why.Reason blocked(WaitReason.Blocked blocked) {
        Explanation.Blocker blocker = blocked.blocker();
        Explanation.Expected expected = blocker.expected();
        return new Why.Reason(
                code(blocker.cause()),
                message(blocker),
                limit(blocker, blocked.holders()),
                null,
                null,
                WireWords.at(blocker.since()),
                expected == null ? null : WireWords.at(expected.at()),
                expected == null ? null : (Boolean) expected.estimate());
    }

    private static Why.@Nullable Limit limit(Explanation.Blocker blocker, List<TicketOwner> holders) {
        LimitId limit = blocker.limit();
        if (limit == null) {
            return null;
        }
        long capacity = blocker.usage().capacity();
        boolean more = blocker.position() > Explanation.POSITION_MAX;
        return new Why.Limit(
                id(limit),
                kind(limit),
                key(limit),
                WireWords.of(blocker.cause()),
                blocker.usage().used(),
                capacity == LimitNeed.UNLIMITED ? null : (Long) capacity,
                holders(holders),
                blocker.position(),
                more ? true : null);
    }

    public static List<Why.Holder> holders(List<TicketOwner> holders) {
        return holders.stream()
                .map(holder -> new Why.Holder(
                        holder.run(),
                        holder.step(),
                        WireWords.item(holder.item()),
                        WireWords.at(holder.since()),
                        holder.worker(),
                        WireWords.at(holder.leaseUntil())))
                .toList();
    }

    private static String code(HoldCause cause) {
        return switch (cause) {
            case CAPACITY, RATE, RESERVED -> "limit";
            case PAUSED -> "paused";
            case OVER_CAPACITY -> "over_capacity";
            case NO_WORKER -> "no_worker";
        };
    }

    private static String message(Explanation.Blocker blocker) {
        String usage = blocker.usage().capacity() == LimitNeed.UNLIMITED || blocker.limit() == null
                ? ""
                : " (" + blocker.usage().used() + " of " + blocker.usage().capacity() + ")";
        return message(blocker.limit(), blocker.cause()) + usage;
    }

    private static String message(@Nullable LimitId limit, HoldCause cause) {
        String name = limit == null ? "" : name(limit);
        return switch (cause) {
            case CAPACITY -> name + " is full";
            case RATE -> name + " has reached its rate";
            case RESERVED -> name + " is reserved for a step or run that was overtaken too often";
            case PAUSED -> name + " is paused";
            case OVER_CAPACITY -> "it needs more than " + name + " allows; it waits until the limit is raised";
            case NO_WORKER -> "no worker polls for its module";
        };
    }

    static String name(LimitId limit) {
        return switch (limit) {
            case LimitId.Key key -> "key " + key.name();
            case LimitId.WorkflowRuns runs -> "the limit on runs of workflow " + runs.workflow();
            case LimitId.RunKey key -> "the limit on runs of workflow " + key.workflow() + " with run_key " + key.key();
            case LimitId.OrgRuns ignored -> "the limit on runs of the organisation";
            case LimitId.Local local -> name(local);
        };
    }

    private static String name(LimitId.Local local) {
        return switch (local) {
            case RUN -> "the run";
            case RUN_STEPS -> "max_concurrent_steps of the run";
            case RUN_SLOTS -> "max_parallel of the run";
            case RUN_EXCLUSIVE -> "the run (exclusive steps run alone)";
            case RUN_TICK -> "max_steps_per_tick of the run";
            case FAN_OUT -> "concurrency of the fan-out";
        };
    }

    private static String id(LimitId limit) {
        return switch (limit) {
            case LimitId.Shared shared -> shared.text();
            case LimitId.Local local -> WireWords.of(local);
        };
    }

    private static String kind(LimitId limit) {
        return switch (limit) {
            case LimitId.Key ignored -> "key";
            case LimitId.WorkflowRuns ignored -> "workflow_runs";
            case LimitId.RunKey ignored -> "run_key";
            case LimitId.OrgRuns ignored -> "org_runs";
            case LimitId.Local local -> WireWords.of(local);
        };
    }

    private static @Nullable String key(LimitId limit) {
        return limit instanceof LimitId.Key key ? key.name() : null;
    }
}
