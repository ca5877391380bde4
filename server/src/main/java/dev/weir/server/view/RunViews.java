package dev.weir.server.view;

import dev.weir.api.Runs;
import dev.weir.api.Why;
import dev.weir.api.Work;
import dev.weir.core.admission.RunOverrides;
import dev.weir.core.command.WithState;
import dev.weir.core.explain.OrganisationQueries;
import dev.weir.core.explain.StepWaits;
import dev.weir.core.explain.WaitReason;
import dev.weir.core.limit.Moment;
import dev.weir.core.state.CausalChain;
import dev.weir.core.state.RunLineage;
import dev.weir.core.state.StepRow;
import dev.weir.core.state.StepState;
import dev.weir.core.state.UnitId;
import dev.weir.core.state.Update;
import dev.weir.engine.records.RunRecord;
import dev.weir.engine.records.StepRecord;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Converts runs and steps to the wire format: their rows and, for live ones, the reasons for which they wait. */
public final class RunViews {
    private RunViews() {}

    /** A live run in memory, and why it waits if it is queued. */
    public record LiveRun(OrganisationQueries.RunSnapshot snapshot, List<WaitReason> why) {}

    public static Runs.RunSummary summary(RunRecord run) {
        return summary(run, null);
    }

    /** Returns a run in a list, with its progress if that was asked for. */
    public static Runs.RunSummary summary(RunRecord run, Runs.@Nullable RunProgress progress) {
        return new Runs.RunSummary(
                run.run(),
                run.workflow(),
                run.version(),
                WireWords.of(run.state()),
                run.priority(),
                run.labels(),
                run.times().acceptedAt(),
                run.times().startedAt(),
                run.times().endedAt(),
                run.reason(),
                deadline(run),
                run.lineage().startedBy(),
                progress);
    }

    /** Returns the response to an operator's action on a run that was live. */
    public static Runs.RunAction action(
            String run, WithState.Answer<?> result, boolean changed, @Nullable String warning) {
        return new Runs.RunAction(run, WireWords.of(Objects.requireNonNull(result.run())), changed, warning);
    }

    /** Returns the response to an action on a step or item that exists. */
    public static Runs.StepAction action(UnitId unit, @Nullable StepState state, String outcome) {
        return new Runs.StepAction(
                unit.run(),
                unit.step(),
                WireWords.item(unit.item()),
                outcome,
                WireWords.of(Objects.requireNonNull(state)));
    }

    private static Runs.@Nullable Deadline deadline(RunRecord run) {
        RunRecord.Deadline deadline = run.deadline();
        return deadline == null ? null : new Runs.Deadline(deadline.at(), deadline.near());
    }

    public static Runs.RunView run(RunRecord run, List<StepRecord> steps, @Nullable LiveRun live) {
        OrganisationQueries.RunSnapshot snapshot = live == null ? null : live.snapshot();
        List<Why.Reason> why = live == null || live.why().isEmpty() ? null : ReasonViews.of(live.why());
        return new Runs.RunView(
                run.run(),
                run.workflow(),
                run.version(),
                WireWords.of(run.state()),
                run.priority(),
                run.input(),
                run.labels(),
                run.times().acceptedAt(),
                run.times().startedAt(),
                run.times().endedAt(),
                run.reason(),
                overrides(snapshot),
                snapshot == null ? List.of() : units(snapshot.running()),
                steps(steps, snapshot),
                why,
                snapshot == null || snapshot.holdUntil() == null ? null : WireWords.at(snapshot.holdUntil()),
                origin(run.lineage()),
                deadline(run),
                run.lineage().startedBy(),
                run.lineage().correlationId(run.run()));
    }

    private static Runs.@Nullable Origin origin(RunLineage origin) {
        UnitId parent = origin.parent();
        return origin.withStartedBy(null).withChain(CausalChain.NONE).equals(RunLineage.NONE)
                        && origin.chain().links().isEmpty()
                ? null
                : new Runs.Origin(
                        origin.retryOf(),
                        parent == null
                                ? null
                                : new Runs.Parent(parent.run(), parent.step(), WireWords.item(parent.item())),
                        origin.root(),
                        origin.depth(),
                        EventViews.chain(origin.chain()));
    }

    private static Runs.@Nullable Overrides overrides(OrganisationQueries.@Nullable RunSnapshot snapshot) {
        RunOverrides values = snapshot == null ? null : snapshot.overrides();
        if (snapshot == null || values == null) {
            return null;
        }
        long now = snapshot.now();
        long end = values.nextChange(now);
        boolean lasting =
                values.maxSlots().lasting() != null || values.maxSteps().lasting() != null;
        Runs.Overrides after = end == Moment.NEVER || !lasting
                ? null
                : new Runs.Overrides(
                        values.maxSlots().lasting(), values.maxSteps().lasting(), null, null);
        Integer slots = values.maxSlots().at(now);
        Integer steps = values.maxSteps().at(now);
        return slots == null && steps == null ? null : new Runs.Overrides(slots, steps, WireWords.at(end), after);
    }

    /** Returns the snapshot of a live run. */
    public static Work.EngineState snapshot(String run, OrganisationQueries.RunSnapshot snapshot) {
        List<Work.StepStatus> steps = snapshot.steps().entrySet().stream()
                .map(step -> status(step.getKey(), step.getValue()))
                .toList();
        return new Work.EngineState(run, WireWords.of(snapshot.state()), units(snapshot.running()), steps);
    }

    private static Work.StepStatus status(String id, OrganisationQueries.StepSnapshot step) {
        OrganisationQueries.ItemCounts counts = step.items();
        return new Work.StepStatus(
                id,
                status(step.state()),
                WireWords.of(step.state()),
                isWaitingForGrant(step.state()) && step.why() != null,
                counts == null ? null : items(counts, step.concurrency()),
                step.why() == null ? null : ReasonViews.of(step.why()));
    }

    /** Returns the snapshot of a run that has ended. Nothing of it is in flight, and nothing waits. */
    public static Work.EngineState snapshot(RunRecord run, List<StepRecord> steps) {
        List<Work.StepStatus> all = steps.stream()
                .map(step -> new Work.StepStatus(
                        step.unit().step(),
                        status(step.state()),
                        WireWords.of(step.state()),
                        false,
                        items(step.items(), null),
                        null))
                .toList();
        return new Work.EngineState(run.run(), WireWords.of(run.state()), List.of(), all);
    }

    public static List<Work.Unit> units(List<UnitId> ids) {
        return ids.stream()
                .map(id -> new Work.Unit(id.step(), WireWords.item(id.item())))
                .toList();
    }

    public static List<Runs.StepView> steps(
            List<StepRecord> steps, OrganisationQueries.@Nullable RunSnapshot snapshot) {
        return steps.stream()
                .map(step -> step(
                        step,
                        snapshot == null
                                ? null
                                : snapshot.steps().get(step.unit().step())))
                .toList();
    }

    /** Returns a step. The data from memory is used only if memory and row agree on its state. */
    public static Runs.StepView step(StepRecord step, OrganisationQueries.@Nullable StepSnapshot snapshot) {
        boolean isCurrent = snapshot != null && snapshot.state() == step.state();
        WaitReason why = isCurrent && snapshot != null ? snapshot.why() : null;
        StepWaits waits = isCurrent && snapshot != null ? snapshot.waits() : null;
        return new Runs.StepView(
                step.unit().step(),
                WireWords.item(step.unit().item()),
                status(step.state()),
                WireWords.of(step.state()),
                isWaitingForGrant(step.state()) && why != null,
                step.fence(),
                step.attempts(),
                step.input(),
                outcome(step.lastUpdate()),
                output(step.lastUpdate()),
                step.lastUpdate() instanceof Update.Failed failed ? failed.error() : null,
                items(step.items(), snapshot),
                step.times().since(),
                step.times().grantedAt(),
                step.times().due(),
                step.times().endedAt(),
                why == null ? null : ReasonViews.of(why),
                step.child(),
                approval(step.approval()),
                reporter(step.reporter()),
                signal(step.signal()),
                waits == null || waits.waited().isEmpty() ? null : TimeViews.waits(waits.waited()),
                waits == null || waits.since() == null ? null : WireWords.at(waits.since()));
    }

    private static Runs.@Nullable Reporter reporter(StepRow.@Nullable Reporter reporter) {
        return reporter == null ? null : new Runs.Reporter(reporter.actor(), reporter.worker());
    }

    private static Runs.@Nullable ReceivedSignal signal(StepRow.@Nullable ReceivedSignal signal) {
        return signal == null ? null : new Runs.ReceivedSignal(signal.id(), signal.sentBy());
    }

    private static boolean isWaitingForGrant(StepState state) {
        return state == StepState.READY || state == StepState.REQUESTED;
    }

    private static Runs.@Nullable Approval approval(StepRow.@Nullable Approval approval) {
        return approval == null
                ? null
                : new Runs.Approval(
                        approval.approved(), approval.by(), approval.note(), Moment.toInstant(approval.at()));
    }

    /**
     * Returns one of the four statuses of a snapshot. A step in flight is ready, with already_running as the
     * reason.
     */
    static String status(StepState state) {
        return switch (state) {
            case READY, REQUESTED, RUNNING, NEEDS_INPUT -> "ready";
            case BLOCKED, BACKING_OFF, WAITING -> "blocked";
            case COMPLETED, SKIPPED -> "complete";
            case FAILED, CANCELLED -> "error";
        };
    }

    /** Returns the step's output, or the prompt of its worker for a person. */
    private static @Nullable JsonNode output(@Nullable Update last) {
        return last instanceof Update.Completed result
                ? result.output()
                : last instanceof Update.NeedsInput asks ? asks.prompt() : null;
    }

    private static @Nullable String outcome(@Nullable Update last) {
        return switch (last) {
            case null -> null;
            case Update.Completed ignored -> "completed";
            case Update.NoOp ignored -> "no_op";
            case Update.Failed ignored -> "failed";
            case Update.Rescheduled ignored -> "rescheduled";
            case Update.NeedsInput ignored -> "needs_input";
        };
    }

    private static Runs.@Nullable Items items(
            StepRecord.@Nullable Items items, OrganisationQueries.@Nullable StepSnapshot snapshot) {
        if (items == null) {
            return null;
        }
        var counts = new OrganisationQueries.ItemCounts(items.total(), items.running(), items.ended(), items.failed());
        return items(counts, snapshot == null ? null : snapshot.concurrency());
    }

    private static Runs.Items items(OrganisationQueries.ItemCounts items, @Nullable Integer concurrency) {
        int remaining = items.total() - items.ended();
        return new Runs.Items(
                items.total(),
                remaining - items.inFlight(),
                items.inFlight(),
                items.ended(),
                items.failed(),
                concurrency == null ? null : (Integer) Math.max(0, concurrency - items.inFlight()),
                remaining);
    }
}
