package dev.weir.testkit.junit;

import dev.weir.core.admission.HoldCause;
import dev.weir.core.explain.OrganisationQueries;
import dev.weir.core.explain.WaitReason;
import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.Moment;
import dev.weir.core.state.UnitId;
import dev.weir.core.state.Update;
import dev.weir.engine.records.StepRecord;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Describes what a run waits for, for the failure messages of tests. */
final class WaitDescription {
    private WaitDescription() {}

    /** Describes the state of a run and, one line each, its steps with all their wait reasons. */
    static String describe(TestWorld world, String run) {
        var record = world.records.findRun(VirtualWeir.ORG, run);
        var text = new StringBuilder(
                        record.map(found -> lowerCase(found.state())).orElse("unknown"))
                .append(" at ")
                .append(Moment.toInstant(world.now()));
        record.map(found -> found.reason())
                .ifPresent(reason -> text.append(": ").append(reason));
        String runReasons = reasons(world.organisation()
                .flatMap(org -> new OrganisationQueries(org, world.now()).why(run))
                .orElse(List.of()));
        text.append(runReasons.isEmpty() ? "" : "; " + runReasons);
        for (StepRecord step : world.records.steps(VirtualWeir.ORG, run)) {
            text.append("\n  ").append(step.unit().step()).append(": ").append(describe(world, step));
        }
        return text.toString();
    }

    private static String describe(TestWorld world, StepRecord step) {
        UnitId unit = step.unit();
        String reasons = reasons(world.organisation()
                .flatMap(org -> new OrganisationQueries(org, world.now()).why(unit))
                .orElse(List.of()));
        String error =
                step.lastUpdate() instanceof Update.Failed failed ? "; its last attempt failed: " + failed.error() : "";
        return lowerCase(step.state()) + (reasons.isEmpty() ? "" : ", " + reasons) + error;
    }

    private static String reasons(List<WaitReason> reasons) {
        return reasons.stream().map(WaitDescription::reasonText).collect(Collectors.joining("; "));
    }

    private static String reasonText(WaitReason reason) {
        return switch (reason) {
            case WaitReason.CallCapacity ignored -> "no node makes its call";
            case WaitReason.Dependency needs -> "it needs " + String.join(", ", needs.steps());
            case WaitReason.Gate ignored -> "it waits for an approval";
            case WaitReason.Timer timer -> "it sleeps" + untilText(timer.until());
            case WaitReason.Delayed delayed -> "it is delayed" + untilText(delayed.until());
            case WaitReason.Signal signal -> "it waits for signal " + signal.name() + untilText(signal.until());
            case WaitReason.Child child -> "it waits for run " + child.run();
            case WaitReason.MissingInput missing -> "it lacks input: " + missing.problem();
            case WaitReason.InvalidArtifact bad -> "the output of " + bad.step() + " is invalid: " + bad.problem();
            case WaitReason.Operator ignored -> "it failed; its run is paused until an operator resumes it";
            case WaitReason.Backoff backoff ->
                "it waits for the retry after attempt " + backoff.attempts() + untilText(backoff.until());
            case WaitReason.Rendering ignored -> "Weir is evaluating its condition and input";
            case WaitReason.MakingItems making ->
                "Weir is creating its items: " + making.created() + " of " + making.total();
            case WaitReason.Suspended ignored -> "its organisation is suspended";
            case WaitReason.Paused ignored -> "its run is paused";
            case WaitReason.NeedsInput needs ->
                needs.provided() ? "its input was provided; it waits for a worker" : "it waits for input";
            case WaitReason.AlreadyRunning running -> "it has been running since " + Moment.toInstant(running.since());
            case WaitReason.Held held -> holdText(held.limit(), held.cause());
            case WaitReason.Blocked blocked ->
                holdText(blocked.blocker().limit(), blocked.blocker().cause());
        };
    }

    private static String holdText(@Nullable LimitId limit, HoldCause cause) {
        String name = limit == null ? "" : limit instanceof LimitId.Shared shared ? shared.text() : lowerCase(limit);
        return switch (cause) {
            case CAPACITY -> name + " is full";
            case RATE -> name + " has reached its rate";
            case RESERVED -> name + " is reserved for a step or run that was overtaken too often";
            case PAUSED -> name + " is paused";
            case OVER_CAPACITY -> "it needs more than " + name + " allows";
            case NO_WORKER -> "no worker serves its module";
        };
    }

    private static String untilText(long time) {
        return time == Moment.NEVER ? "" : " until " + Moment.toInstant(time);
    }

    private static String lowerCase(Object state) {
        return String.valueOf(state).toLowerCase(Locale.ROOT);
    }
}
