package dev.weir.testkit.junit;

import dev.weir.core.admission.Cause;
import dev.weir.core.life.Insight;
import dev.weir.core.life.Reason;
import dev.weir.core.life.UnitId;
import dev.weir.core.life.Update;
import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.Moment;
import dev.weir.engine.records.StepRecord;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What a run waits for, in words, for the failures of tests. */
final class Waiting {
    private Waiting() {}

    /** How a run stands and, a line each, its steps with all that keeps them. */
    static String describe(Stage stage, String run) {
        var record = stage.records.findRun(VirtualWeir.ORG, run);
        var text = new StringBuilder(record.map(found -> word(found.state())).orElse("unknown"))
                .append(" at ")
                .append(Moment.toInstant(stage.now()));
        record.map(found -> found.reason())
                .ifPresent(reason -> text.append(": ").append(reason));
        String own = reasons(stage.organisation()
                .flatMap(org -> new Insight(org, stage.now()).why(run))
                .orElse(List.of()));
        text.append(own.isEmpty() ? "" : "; " + own);
        for (StepRecord step : stage.records.steps(VirtualWeir.ORG, run)) {
            text.append("\n  ").append(step.unit().step()).append(": ").append(describe(stage, step));
        }
        return text.toString();
    }

    private static String describe(Stage stage, StepRecord step) {
        UnitId unit = step.unit();
        String reasons = reasons(stage.organisation()
                .flatMap(org -> new Insight(org, stage.now()).why(unit))
                .orElse(List.of()));
        String error = step.last() instanceof Update.Failed failed ? "; its last try failed: " + failed.error() : "";
        return word(step.state()) + (reasons.isEmpty() ? "" : ", " + reasons) + error;
    }

    private static String reasons(List<Reason> reasons) {
        return reasons.stream().map(Waiting::words).collect(Collectors.joining("; "));
    }

    private static String words(Reason reason) {
        return switch (reason) {
            case Reason.CallPlaces ignored -> "nobody makes its call";
            case Reason.Dependency needs -> "it needs " + String.join(", ", needs.steps());
            case Reason.Gate ignored -> "it waits for an approval";
            case Reason.Timer timer -> "it rests" + until(timer.until());
            case Reason.Delayed delayed -> "it was put off" + until(delayed.until());
            case Reason.Signal signal -> "it waits for signal " + signal.name() + until(signal.until());
            case Reason.Child child -> "it waits for run " + child.run();
            case Reason.MissingInput missing -> "it lacks input: " + missing.lacks();
            case Reason.InvalidArtifact bad -> "the output of " + bad.step() + " does not fit: " + bad.lacks();
            case Reason.Operator ignored -> "it failed, and its run waits to be resumed";
            case Reason.Backoff backoff -> "it rests after try " + backoff.attempts() + until(backoff.until());
            case Reason.MakingItems making -> "its items are being made, " + making.made() + " of " + making.total();
            case Reason.Paused ignored -> "its run is paused";
            case Reason.NeedsInput needs ->
                needs.provided() ? "its input has come, and waits for a worker" : "it waits for input";
            case Reason.AlreadyRunning running -> "it has run since " + Moment.toInstant(running.since());
            case Reason.Held held -> held(held.limit(), held.cause());
            case Reason.Blocked blocked ->
                held(blocked.blocker().limit(), blocked.blocker().cause());
        };
    }

    private static String held(@Nullable LimitId limit, Cause cause) {
        String name = limit == null ? "" : limit instanceof LimitId.Shared shared ? shared.text() : word(limit);
        return switch (cause) {
            case CAPACITY -> name + " is full";
            case RATE -> name + " has no start left in its window";
            case RESERVED -> name + " is kept for one that was overtaken too often";
            case PAUSED -> name + " is paused";
            case OVER_CAPACITY -> "it is wider than " + name + " allows";
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
