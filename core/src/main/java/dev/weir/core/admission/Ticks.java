package dev.weir.core.admission;

import dev.weir.core.limit.Moment;

/** The ticks of one run: tick n begins at its start + n × the length of a tick. Counts the starts in the current one. */
final class Ticks {
    private final RunLimits limits;
    private final long startedAt;
    private long current = -1;
    private int starts;

    Ticks(RunLimits limits, long startedAt) {
        this.limits = limits;
        this.startedAt = startedAt;
    }

    private long tickOf(long now) {
        return Math.max(0, (now - startedAt) / limits.tick());
    }

    int starts(long now) {
        return tickOf(now) == current ? starts : 0;
    }

    boolean full(long now) {
        return starts(now) >= limits.stepsPerTick();
    }

    /** When the next tick begins. */
    long next(long now) {
        return Moment.plus(startedAt, (tickOf(now) + 1) * limits.tick());
    }

    /** When the {@code nth} start from now on (the first is 1) can come. */
    long nthFitsAt(long nth, long now) {
        long free = Math.max(0, limits.stepsPerTick() - starts(now));
        if (nth <= free) {
            return now;
        }
        return Moment.plus(next(now), (nth - free - 1) / limits.stepsPerTick() * limits.tick());
    }

    void count(long at) {
        long tick = tickOf(at);
        if (tick != current) {
            current = tick;
            starts = 0;
        }
        starts++;
    }
}
