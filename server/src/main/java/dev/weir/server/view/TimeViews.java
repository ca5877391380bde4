package dev.weir.server.view;

import dev.weir.api.Times;
import dev.weir.core.life.Makespan;
import dev.weir.core.life.Waited;
import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.Moment;
import dev.weir.engine.records.RunRecord;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where the time of a run went, in the words of the wire. */
public final class TimeViews {
    private TimeViews() {}

    public static Times.RunTime of(RunRecord run, Makespan spent) {
        return new Times.RunTime(
                run.run(),
                Words.of(run.state()),
                Moment.toInstant(spent.from()),
                Moment.toInstant(spent.to()),
                spent.to() - spent.from(),
                spent.work(),
                waits(spent.waited()),
                legs(spent.path()),
                legs(spent.steps()));
    }

    private static List<Times.Leg> legs(List<Makespan.Leg> legs) {
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

    private static List<Times.Wait> waits(List<Waited> waited) {
        return waited.stream()
                .map(one -> new Times.Wait(Words.of(one.what()), one.limit(), one.micros(), message(one)))
                .toList();
    }

    /** Completes "it waited for …". */
    private static String message(Waited waited) {
        return switch (waited.what()) {
            case CAPACITY -> "room in " + name(waited.limit());
            case RATE -> name(waited.limit()) + "'s rate";
            case PAUSED -> name(waited.limit()) + ", which was paused";
            case OVER_CAPACITY -> name(waited.limit()) + " to be raised: it was wider than that allowed";
            case RESERVED -> name(waited.limit()) + ", which was kept for one that was overtaken too often";
            case NO_WORKER -> "a worker";
            case LOST_WORKER -> "a worker that was not heard of again";
            case BACKOFF -> "its next try";
            case GATE -> "an approval";
            case TIMER -> "a timer";
            case SIGNAL -> "a signal";
            case CHILD -> "a run that it invoked";
            case NEEDS_INPUT -> "a person's input";
            case MISSING_INPUT -> "missing input";
            case INVALID_ARTIFACT -> "an output to be mended";
            case OPERATOR -> "an operator to resume it";
            case DELAYED -> "the time until which it was put off";
            case DEPENDENCY -> "other steps, and never began";
            case COMPENSATION -> "what was done to be undone";
        };
    }

    /** As {@link Reasons} names it while something waits for it. */
    private static String name(@Nullable String limit) {
        if (limit == null) {
            return Reasons.name(LimitId.Local.RUN);
        }
        for (LimitId.Local local : LimitId.Local.values()) {
            if (Words.of(local).equals(limit)) {
                return Reasons.name(local);
            }
        }
        return Reasons.name(LimitId.Shared.of(limit));
    }
}
