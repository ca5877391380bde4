package dev.weir.core.admission;

import dev.weir.core.limit.Moment;

/** Counts the starts in the current tick of one run. Tick n begins at the run's start + n × the length of a tick. */
final class TickCounter {
    private final RunLimitValues limits;
    private final long startedAt;
    private long currentTick = -1;
    private int starts;

    TickCounter(RunLimitValues limits, long startedAt) {
        this.limits = limits;
        this.startedAt = startedAt;
    }

    private long tickOf(long now) {
        return Math.max(0, (now - startedAt) / limits.tick());
    }

    int starts(long now) {
        return tickOf(now) == currentTick ? starts : 0;
    }

    boolean isFull(long now) {
        return starts(now) >= limits.stepsPerTick();
    }

    /** The time when the next tick begins. */
    long nextTickAt(long now) {
        return Moment.plus(startedAt, (tickOf(now) + 1) * limits.tick());
    }

    /** The time when the {@code nth} start from now can happen; the first is 1. */
    long nthFitsAt(long nth, long now) {
        long free = Math.max(0, limits.stepsPerTick() - starts(now));
        if (nth <= free) {
            return now;
        }
        return Moment.plus(nextTickAt(now), (nth - free - 1) / limits.stepsPerTick() * limits.tick());
    }

    void countStart(long at) {
        long tick = tickOf(at);
        if (tick != currentTick) {
            currentTick = tick;
            starts = 0;
        }
        starts++;
    }
}
