package dev.weir.server.view;

import dev.weir.api.Runs;
import dev.weir.api.Why;
import dev.weir.api.Work;
import dev.weir.core.life.AndState;
import dev.weir.core.life.Insight;
import dev.weir.core.life.Origin;
import dev.weir.core.life.Reason;
import dev.weir.core.life.StepRow;
import dev.weir.core.life.StepState;
import dev.weir.core.life.UnitId;
import dev.weir.core.life.Update;
import dev.weir.core.limit.Moment;
import dev.weir.engine.records.RunRecord;
import dev.weir.engine.records.StepRecord;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Runs and steps: what the rows say, and for those that live, what they wait for. */
public final class RunViews {
    private RunViews() {}

    /** A run that lives, as memory has it: at a glance, and why it is queued if it is. */
    public record Living(Insight.RunGlance glance, List<Reason> why) {}

    public static Runs.RunSummary summary(RunRecord run) {
        return new Runs.RunSummary(
                run.run(),
                run.workflow(),
                run.version(),
                Words.of(run.state()),
                run.priority(),
                run.labels(),
                run.times().acceptedAt(),
                run.times().startedAt(),
                run.times().endedAt(),
                run.reason(),
                deadline(run));
    }

    /** What an operator is told of a run that was alive. */
    public static Runs.RunAction action(
            String run, AndState.Answer<?> done, boolean changed, @Nullable String warning) {
        return new Runs.RunAction(run, Words.of(Objects.requireNonNull(done.run())), changed, warning);
    }

    /** What is told of a step or item that was there. */
    public static Runs.StepAction action(UnitId unit, @Nullable StepState state, String result) {
        return new Runs.StepAction(
                unit.run(), unit.step(), Words.item(unit.item()), result, Words.of(Objects.requireNonNull(state)));
    }

    private static Runs.@Nullable Deadline deadline(RunRecord run) {
        RunRecord.Deadline deadline = run.deadline();
        return deadline == null ? null : new Runs.Deadline(deadline.at(), deadline.near());
    }

    public static Runs.RunView run(RunRecord run, List<StepRecord> steps, @Nullable Living living) {
        Insight.RunGlance glance = living == null ? null : living.glance();
        List<Why.Reason> why = living == null || living.why().isEmpty() ? null : Reasons.of(living.why());
        return new Runs.RunView(
                run.run(),
                run.workflow(),
                run.version(),
                Words.of(run.state()),
                run.priority(),
                run.input(),
                run.labels(),
                run.times().acceptedAt(),
                run.times().startedAt(),
                run.times().endedAt(),
                run.reason(),
                overrides(glance),
                glance == null ? List.of() : units(glance.running()),
                steps(steps, glance),
                why,
                why == null ? null : holdUntil(why),
                origin(run.origin()),
                deadline(run));
    }

    private static Runs.@Nullable Origin origin(Origin origin) {
        UnitId parent = origin.parent();
        return origin.equals(Origin.NONE)
                ? null
                : new Runs.Origin(
                        origin.retryOf(),
                        parent == null ? null : new Runs.Parent(parent.run(), parent.step(), Words.item(parent.item())),
                        origin.root(),
                        origin.depth());
    }

    /** When the last of what holds it is expected to let go; absent where that is not known of one of them. */
    private static @Nullable Instant holdUntil(List<Why.Reason> why) {
        return why.stream().anyMatch(reason -> reason.expectedAt() == null)
                ? null
                : why.stream()
                        .map(reason -> Objects.requireNonNull(reason.expectedAt()))
                        .max(Instant::compareTo)
                        .orElse(null);
    }

    private static Runs.@Nullable Overrides overrides(Insight.@Nullable RunGlance glance) {
        var values = glance == null ? null : glance.overrides();
        return values == null ? null : new Runs.Overrides(values.maxSlots(), values.maxSteps());
    }

    public static List<Work.Unit> units(List<UnitId> ids) {
        return ids.stream()
                .map(id -> new Work.Unit(id.step(), Words.item(id.item())))
                .toList();
    }

    public static List<Runs.StepView> steps(List<StepRecord> steps, Insight.@Nullable RunGlance glance) {
        return steps.stream()
                .map(step -> step(
                        step,
                        glance == null ? null : glance.steps().get(step.unit().step())))
                .toList();
    }

    /** A step; what memory says of it counts only where both agree on its state. */
    public static Runs.StepView step(StepRecord step, Insight.@Nullable StepGlance glance) {
        boolean agreed = glance != null && glance.state() == step.state();
        Reason why = agreed && glance != null ? glance.why() : null;
        boolean asks = step.state() == StepState.READY || step.state() == StepState.REQUESTED;
        return new Runs.StepView(
                step.unit().step(),
                Words.item(step.unit().item()),
                status(step.state()),
                Words.of(step.state()),
                asks && why != null,
                step.fence(),
                step.attempts(),
                step.input(),
                outcome(step.last()),
                output(step.last()),
                step.last() instanceof Update.Failed failed ? failed.error() : null,
                items(step.items(), glance),
                step.times().since(),
                step.times().due(),
                step.times().endedAt(),
                why == null ? null : Reasons.of(why),
                step.child(),
                approval(step.approval()));
    }

    private static Runs.@Nullable Approval approval(StepRow.@Nullable Approval decided) {
        return decided == null
                ? null
                : new Runs.Approval(decided.approved(), decided.by(), decided.note(), Moment.toInstant(decided.at()));
    }

    /** The four words of a resolver's snapshot. What is in flight is ready, with already_running as the reason. */
    static String status(StepState state) {
        return switch (state) {
            case READY, REQUESTED, RUNNING, NEEDS_INPUT -> "ready";
            case BLOCKED, BACKING_OFF, WAITING -> "blocked";
            case COMPLETED, SKIPPED -> "complete";
            case FAILED, CANCELLED -> "error";
        };
    }

    /** What it has given, or what its worker asks a person. */
    private static @Nullable JsonNode output(@Nullable Update last) {
        return last instanceof Update.Completed done
                ? done.output()
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

    private static Runs.@Nullable Items items(StepRecord.@Nullable Items items, Insight.@Nullable StepGlance glance) {
        if (items == null) {
            return null;
        }
        Integer concurrency = glance == null ? null : glance.concurrency();
        int remaining = items.total() - items.ended();
        return new Runs.Items(
                items.total(),
                remaining - items.running(),
                items.running(),
                items.ended(),
                items.failed(),
                concurrency == null ? null : (Integer) Math.max(0, concurrency - items.running()),
                remaining);
    }
}
