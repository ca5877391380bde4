package dev.weir.core.life;

import dev.weir.core.admission.RunGate;
import dev.weir.core.limit.Moment;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A run as it is kept while it lives.
 *
 * @param number orders runs by when they were accepted
 * @param ask what it asks of the limits of runs
 * @param startedAt when it was admitted; {@link #NOT_STARTED} before
 * @param ending that it is on its way to its end
 * @param lastGrantAt when the last of its steps started, for its ticks
 * @param startsInTick how many have started in the tick of that time
 * @param detail what few runs have
 */
public record RunRow(
        StartRun request,
        long number,
        Ask ask,
        long acceptedAt,
        long startedAt,
        RunState state,
        @Nullable Ending ending,
        RunGate.@Nullable Overrides overrides,
        long lastGrantAt,
        int startsInTick,
        Detail detail) {
    public static final long NOT_STARTED = Long.MIN_VALUE;

    /**
     * What few runs have.
     *
     * @param notBefore when it may start at the earliest, if it was put off
     * @param deadlineAt when it must have ended; {@link Moment#NEVER} = it has no deadline, or has not started
     * @param warned whether it was said that the deadline is near
     * @param borrows whether its place is lent to it by the run that has invoked it
     * @param input what its input was mended to; absent = what it was started with
     * @param waited what it waited for before it started
     */
    public record Detail(
            long notBefore,
            long deadlineAt,
            boolean warned,
            boolean borrows,
            @Nullable JsonNode input,
            List<Waited> waited) {
        public static final Detail DEFAULT = new Detail(NOT_STARTED, Moment.NEVER, false, false, null, List.of());

        public Detail {
            waited = List.copyOf(waited);
        }

        Detail notBefore(long time) {
            return new Detail(time, deadlineAt, warned, borrows, input, waited);
        }

        Detail deadline(long time) {
            return new Detail(notBefore, time, false, borrows, input, waited);
        }

        Detail warnedOf() {
            return new Detail(notBefore, deadlineAt, true, borrows, input, waited);
        }

        Detail borrowing(boolean place) {
            return new Detail(notBefore, deadlineAt, warned, place, input, waited);
        }

        Detail amended(JsonNode mended) {
            return new Detail(notBefore, deadlineAt, warned, borrows, mended, waited);
        }

        Detail waited(List<Waited> before) {
            return before.isEmpty() && waited.isEmpty()
                    ? this
                    : new Detail(notBefore, deadlineAt, warned, borrows, input, before);
        }
    }

    /** What it was started with, or what that was mended to. */
    public JsonNode input() {
        return detail.input == null ? request.input() : detail.input;
    }

    public String id() {
        return request.run();
    }

    /** The same on its way to its end. */
    public RunRow stopping(Ending as) {
        return new RunRow(
                request, number, ask, acceptedAt, startedAt, state, as, overrides, lastGrantAt, startsInTick, detail);
    }

    /** The same under other overrides. */
    public RunRow overridden(RunGate.@Nullable Overrides values) {
        return new RunRow(
                request, number, ask, acceptedAt, startedAt, state, ending, values, lastGrantAt, startsInTick, detail);
    }

    /** The same with what has changed of it. */
    public RunRow with(Ask asked, Detail other) {
        return new RunRow(
                request,
                number,
                asked,
                acceptedAt,
                startedAt,
                state,
                ending,
                overrides,
                lastGrantAt,
                startsInTick,
                other);
    }

    /** The same after starts of its steps in one tick. */
    public RunRow granted(long at, int starts) {
        return new RunRow(request, number, ask, acceptedAt, startedAt, state, ending, overrides, at, starts, detail);
    }
}
