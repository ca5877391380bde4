package dev.weir.core.state;

import dev.weir.core.admission.RunOverrides;
import dev.weir.core.limit.Moment;
import dev.weir.core.plan.LimitNeeds;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The stored form of a live run.
 *
 * @param number the position in the order in which runs were accepted
 * @param limitNeeds the needs of the run limits
 * @param startedAt the time when it was admitted; {@link #NOT_STARTED} before
 * @param ending the end that it is on its way to, if any
 * @param lastGrantAt the time when the last of its steps started, for its ticks
 * @param startsInTick the number of steps that started in the tick of that time
 * @param detail the rarely used fields
 */
public record RunRow(
        RunRequest request,
        long number,
        LimitNeeds limitNeeds,
        long acceptedAt,
        long startedAt,
        RunState state,
        @Nullable RunEnding ending,
        @Nullable RunOverrides overrides,
        long lastGrantAt,
        int startsInTick,
        Detail detail) {
    public static final long NOT_STARTED = Long.MIN_VALUE;

    /**
     * Rarely used fields of a run.
     *
     * @param notBefore the earliest time at which it may start, if its start was delayed
     * @param deadlineAt the time by which it must have ended; {@link Moment#NEVER} = it has no deadline, or has not
     *     started
     * @param warned true if the warning that the deadline is near was given
     * @param borrows true if the run that invoked it lends it its allocation of the run limits
     * @param input the amended input; absent = the input it was started with
     * @param waited the waits before it started
     * @param holdUntil the time of the next check when a limit held its start for the first time; {@link #NOT_STARTED} =
     *     no limit has held it, or it has started
     */
    public record Detail(
            long notBefore,
            long deadlineAt,
            boolean warned,
            boolean borrows,
            @Nullable JsonNode input,
            List<WaitEntry> waited,
            long holdUntil) {
        public static final Detail DEFAULT = new Detail(NOT_STARTED, Moment.NEVER, false, false, null, List.of());

        /** Creates the details of a run that no limit has held. */
        public Detail(
                long notBefore,
                long deadlineAt,
                boolean warned,
                boolean borrows,
                @Nullable JsonNode input,
                List<WaitEntry> waited) {
            this(notBefore, deadlineAt, warned, borrows, input, waited, NOT_STARTED);
        }

        public Detail {
            waited = List.copyOf(waited);
        }

        public Detail withNotBefore(long time) {
            return new Detail(time, deadlineAt, warned, borrows, input, waited, holdUntil);
        }

        public Detail withDeadline(long time) {
            return new Detail(notBefore, time, false, borrows, input, waited, holdUntil);
        }

        public Detail withWarning() {
            return new Detail(notBefore, deadlineAt, true, borrows, input, waited, holdUntil);
        }

        public Detail withBorrows(boolean newBorrows) {
            return new Detail(notBefore, deadlineAt, warned, newBorrows, input, waited, holdUntil);
        }

        public Detail withInput(JsonNode newInput) {
            return new Detail(notBefore, deadlineAt, warned, borrows, newInput, waited, holdUntil);
        }

        public Detail withHoldUntil(long time) {
            return time == holdUntil ? this : new Detail(notBefore, deadlineAt, warned, borrows, input, waited, time);
        }

        /** True if a limit has held the start of the run. */
        public boolean isHeld() {
            return holdUntil != NOT_STARTED;
        }

        /** Adds the waits before the start, and ends the hold. */
        public Detail withWaited(List<WaitEntry> newWaits) {
            return newWaits.isEmpty() && waited.isEmpty() && !isHeld()
                    ? this
                    : new Detail(notBefore, deadlineAt, warned, borrows, input, newWaits, NOT_STARTED);
        }
    }

    /** The input it was started with, or the amended one. */
    public JsonNode input() {
        return detail.input == null ? request.input() : detail.input;
    }

    public String id() {
        return request.run();
    }

    /** Returns a copy on its way to an end. */
    public RunRow withEnding(RunEnding newEnding) {
        return new RunRow(
                request,
                number,
                limitNeeds,
                acceptedAt,
                startedAt,
                state,
                newEnding,
                overrides,
                lastGrantAt,
                startsInTick,
                detail);
    }

    /** Returns a copy that a limit holds. */
    public RunRow withHoldUntil(long time) {
        return with(limitNeeds, detail.withHoldUntil(time));
    }

    /** Returns a copy with other overrides. */
    public RunRow withOverrides(@Nullable RunOverrides values) {
        return new RunRow(
                request,
                number,
                limitNeeds,
                acceptedAt,
                startedAt,
                state,
                ending,
                values,
                lastGrantAt,
                startsInTick,
                detail);
    }

    /** Returns a copy with other needs and another detail. */
    public RunRow with(LimitNeeds newNeeds, Detail other) {
        return new RunRow(
                request,
                number,
                newNeeds,
                acceptedAt,
                startedAt,
                state,
                ending,
                overrides,
                lastGrantAt,
                startsInTick,
                other);
    }

    /** Returns a copy after starts of its steps in one tick. */
    public RunRow withGrant(long at, int starts) {
        return new RunRow(
                request, number, limitNeeds, acceptedAt, startedAt, state, ending, overrides, at, starts, detail);
    }
}
