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
    static String describe(TestWorld stage, String run) {
        var record = stage.records.findRun(VirtualWeir.ORG, run);
        var text = new StringBuilder(record.map(found -> word(found.state())).orElse("unknown"))
                .append(" at ")
                .append(Moment.toInstant(stage.now()));
        record.map(found -> found.reason())
                .ifPresent(reason -> text.append(": ").append(reason));
        String own = reasons(stage.organisation()
                .flatMap(org -> new OrganisationQueries(org, stage.now()).why(run))
                .orElse(List.of()));
        text.append(own.isEmpty() ? "" : "; " + own);
        for (StepRecord step : stage.records.steps(VirtualWeir.ORG, run)) {
            text.append("\n  ").append(step.unit().step()).append(": ").append(describe(stage, step));
        }
        return text.toString();
    }

    private static String describe(TestWorld stage, StepRecord step) {
        UnitId unit = step.unit();
        String reasons = reasons(stage.organisation()
                .flatMap(org -> new OrganisationQueries(org, stage.now()).why(unit))
                .orElse(List.of()));
        String error =
                step.last() instanceof Update.Failed failed ? "; its last attempt failed: " + failed.error() : "";
        return word(step.state()) + (reasons.isEmpty() ? "" : ", " + reasons) + error;
    }

    private static String reasons(List<WaitReason> reasons) {
        return reasons.stream().map(WaitDescription::words).collect(Collectors.joining("; "));
    }

    private static String words(WaitReason reason) {
        return switch (reason) {
            case WaitReason.CallPlaces ignored -> "no node makes its call";
            case WaitReason.Dependency needs -> "it needs " + String.join(", ", needs.steps());
            case WaitReason.Gate ignored -> "it waits for an approval";
            case WaitReason.Timer timer -> "it sleeps" + until(timer.until());
            case WaitReason.Delayed delayed -> "it is delayed" + until(delayed.until());
            case WaitReason.Signal signal -> "it waits for signal " + signal.name() + until(signal.until());
            case WaitReason.Child child -> "it waits for run " + child.run();
            case WaitReason.MissingInput missing -> "it lacks input: " + missing.lacks();
            case WaitReason.InvalidArtifact bad -> "the output of " + bad.step() + " is invalid: " + bad.lacks();
            case WaitReason.Operator ignored -> "it failed; its run is paused until an operator resumes it";
            case WaitReason.Backoff backoff ->
                "it waits for the retry after attempt " + backoff.attempts() + until(backoff.until());
            case WaitReason.Rendering ignored -> "Weir is evaluating its condition and input";
            case WaitReason.MakingItems making ->
                "Weir is creating its items: " + making.made() + " of " + making.total();
            case WaitReason.Paused ignored -> "its run is paused";
            case WaitReason.NeedsInput needs ->
                needs.provided() ? "its input was provided; it waits for a worker" : "it waits for input";
            case WaitReason.AlreadyRunning running -> "it has been running since " + Moment.toInstant(running.since());
            case WaitReason.Held held -> held(held.limit(), held.cause());
            case WaitReason.Blocked blocked ->
                held(blocked.blocker().limit(), blocked.blocker().cause());
        };
    }

    private static String held(@Nullable LimitId limit, HoldCause cause) {
        String name = limit == null ? "" : limit instanceof LimitId.Shared shared ? shared.text() : word(limit);
        return switch (cause) {
            case CAPACITY -> name + " is full";
            case RATE -> name + " has reached its rate";
            case RESERVED -> name + " is reserved for a step or run that was overtaken too often";
            case PAUSED -> name + " is paused";
            case OVER_CAPACITY -> "it needs more than " + name + " allows";
            case NO_WORKER -> "no worker serves its module";
        };
    }

    private static String until(long time) {
        return time == Moment.NEVER ? "" : " until " + Moment.toInstant(time);
    }

    private static String word(Object state) {
        return String.valueOf(state).toLowerCase(Locale.ROOT);
    }
}
