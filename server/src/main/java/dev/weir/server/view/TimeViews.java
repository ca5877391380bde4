package dev.weir.server.view;

import dev.weir.api.Times;
import dev.weir.core.explain.CriticalPath;
import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.Moment;
import dev.weir.core.state.WaitEntry;
import dev.weir.engine.records.RunRecord;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Converts the breakdown of a run's time to the wire format. */
public final class TimeViews {
    private TimeViews() {}

    public static Times.RunTime of(RunRecord run, CriticalPath criticalPath) {
        return new Times.RunTime(
                run.run(),
                WireWords.of(run.state()),
                Moment.toInstant(criticalPath.from()),
                Moment.toInstant(criticalPath.to()),
                criticalPath.to() - criticalPath.from(),
                criticalPath.work(),
                waits(criticalPath.waited()),
                legs(criticalPath.path()),
                legs(criticalPath.steps()));
    }

    private static List<Times.Leg> legs(List<CriticalPath.Leg> legs) {
        return legs.stream()
                .map(leg -> new Times.Leg(
                        leg.step(),
                        leg.item(),
                        Moment.toInstant(leg.from()),
                        Moment.toInstant(leg.to()),
                        leg.to() - leg.from(),
                        leg.work(),
                        waits(leg.waited())))
                .toList();
    }

    static List<Times.Wait> waits(List<WaitEntry> waited) {
        return waited.stream()
                .map(wait -> new Times.Wait(WireWords.of(wait.cause()), wait.limit(), wait.micros(), message(wait)))
                .toList();
    }

    /** Returns words that complete "it waited for …". */
    private static String message(WaitEntry waited) {
        return switch (waited.cause()) {
            case CAPACITY -> "capacity of " + name(waited.limit());
            case RATE -> name(waited.limit()) + "'s rate";
            case PAUSED -> name(waited.limit()) + ", which was paused";
            case OVER_CAPACITY -> name(waited.limit()) + " to be raised, because it needed more than the limit allowed";
            case RESERVED ->
                name(waited.limit()) + ", which was reserved for a step or run that was overtaken too often";
            case NO_WORKER -> "a worker";
            case LOST_WORKER -> "a worker that was lost";
            case BACKOFF -> "its next attempt";
            case GATE -> "an approval";
            case TIMER -> "a timer";
            case SIGNAL -> "a signal";
            case CHILD -> "its child run";
            case NEEDS_INPUT -> "input from a person";
            case MISSING_INPUT -> "missing input";
            case INVALID_ARTIFACT -> "the correction of an output";
            case OPERATOR -> "an operator to resume it";
            case DELAYED -> "the end of its delay";
            case DEPENDENCY -> "other steps; it never started";
            case COMPENSATION -> "compensation";
        };
    }

    /** Returns the name that {@link ReasonViews} uses for a limit. */
    private static String name(@Nullable String limit) {
        if (limit == null) {
            return ReasonViews.name(LimitId.Local.RUN);
        }
        for (LimitId.Local local : LimitId.Local.values()) {
            if (WireWords.of(local).equals(limit)) {
                return ReasonViews.name(local);
            }
        }
        return ReasonViews.name(LimitId.Shared.of(limit));
    }
}
