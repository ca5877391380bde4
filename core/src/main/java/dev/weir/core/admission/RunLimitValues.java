package dev.weir.core.admission;

/**
 * The limits of a run for its own steps. Each is {@link #UNLIMITED} if there is no such limit.
 *
 * @param maxSteps maximum steps in flight
 * @param maxSlots maximum slots in use
 * @param stepsPerTick maximum starts in one tick
 * @param tick length of a tick in microseconds
 */
public record RunLimitValues(int maxSteps, int maxSlots, int stepsPerTick, long tick) {
    public static final int UNLIMITED = Integer.MAX_VALUE;
    /** Default length of a tick, in microseconds. */
    public static final long DEFAULT_TICK_MICROS = 1_000_000;

    public static final RunLimitValues NONE = new RunLimitValues(UNLIMITED, UNLIMITED, UNLIMITED, DEFAULT_TICK_MICROS);

    public RunLimitValues {
        if (maxSteps < 1 || maxSlots < 1 || stepsPerTick < 1 || tick < 1) {
            throw new IllegalArgumentException("a run's limits must be at least 1, found max steps " + maxSteps
                    + ", max slots " + maxSlots + ", steps per tick " + stepsPerTick + ", tick " + tick + " µs");
        }
    }

    public static RunLimitValues steps(int maxSteps) {
        return new RunLimitValues(maxSteps, UNLIMITED, UNLIMITED, DEFAULT_TICK_MICROS);
    }

    public static RunLimitValues slots(int maxSlots) {
        return new RunLimitValues(UNLIMITED, maxSlots, UNLIMITED, DEFAULT_TICK_MICROS);
    }
}
