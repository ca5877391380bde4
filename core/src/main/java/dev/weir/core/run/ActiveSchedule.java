package dev.weir.core.run;

import dev.weir.core.definition.CronSchedule;
import dev.weir.core.definition.CronTimes;
import dev.weir.core.limit.Moment;
import dev.weir.core.state.ScheduleRow;
import dev.weir.core.state.WorkflowTriggers;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A schedule that waits for its next time. */
final class ActiveSchedule extends Timer {
    /** The periods before now in which due times are searched, shortest first, so that few times are computed. */
    private static final List<Duration> LOOKBACKS =
            List.of(Duration.ofHours(1), Duration.ofDays(1), Duration.ofDays(31), Duration.ofDays(366));

    /** The price of computing one time, in units. */
    private static final int TIME_UNITS = 20;

    final WorkflowTriggers.Schedule schedule;
    ScheduleRow row;
    private final CronTimes times;

    ActiveSchedule(WorkflowTriggers.Schedule schedule, ScheduleRow row) {
        this.schedule = schedule;
        this.row = row;
        this.times = CronSchedule.times(schedule.cron());
    }

    @Override
    long tieBreaker() {
        return row.trigger().toString().hashCode();
    }

    @Override
    int item() {
        return Integer.MIN_VALUE + 1;
    }

    /** The first time after those that were handled; {@link Moment#NEVER} if there is none. */
    long next() {
        return next(row.handledTo());
    }

    /** The first time after the given one; {@link Moment#NEVER} if there is none. */
    long next(long after) {
        Optional<Instant> found = times.next(Moment.toInstant(after), schedule.timezone());
        return found.isPresent() ? Moment.of(found.get()) : Moment.NEVER;
    }

    ScheduleStatus status(ScheduleStatus.State state) {
        List<Long> following = new ArrayList<>();
        for (long time = next(); time != Moment.NEVER && following.size() < ScheduleStatus.NEXT_MAX; ) {
            following.add(time);
            time = next(time);
        }
        return new ScheduleStatus(row, schedule, state, following);
    }

    /** Returns the last times that are due, at most {@code max}, oldest first. */
    List<Long> due(int max, long now, DecisionBudget budget) {
        List<Long> found = new ArrayList<>();
        for (Duration lookback : LOOKBACKS) {
            long from = Math.max(row.handledTo(), now - Moment.micros(lookback));
            found.clear();
            for (long time = next(from); time <= now; time = next(time)) {
                found.add(time);
            }
            budget.spend((long) TIME_UNITS * (found.size() + 1));
            if (found.size() >= max || from == row.handledTo()) {
                break;
            }
        }
        return List.copyOf(found.subList(Math.max(0, found.size() - max), found.size()));
    }
}
