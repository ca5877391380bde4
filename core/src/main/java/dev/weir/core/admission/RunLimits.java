package dev.weir.core.admission;

/**
 * The limits that a run has for its own steps.
 *
 * @param maxSteps steps in flight; {@link #UNLIMITED} if there is no such limit, as for the others
 * @param maxSlots slots in use
 * @param stepsPerTick starts in one tick
 * @param tick the length of a tick in microseconds
 */
public record RunLimits(int maxSteps, int maxSlots, int stepsPerTick, long tick) {
    public static final int UNLIMITED = Integer.MAX_VALUE;
    /** The length of a tick where none is given, in microseconds. */
    public static final long TICK_DEFAULT = 1_000_000;

    public static final RunLimits NONE = new RunLimits(UNLIMITED, UNLIMITED, UNLIMITED, TICK_DEFAULT);

    public RunLimits {
        if (maxSteps < 1 || maxSlots < 1 || stepsPerTick < 1 || tick < 1) {
            throw new IllegalArgumentException("a run's limits must be at least 1, found max steps " + maxSteps
                    + ", max slots " + maxSlots + ", steps per tick " + stepsPerTick + ", tick " + tick + " µs");
        }
    }

    public static RunLimits steps(int maxSteps) {
        return new RunLimits(maxSteps, UNLIMITED, UNLIMITED, TICK_DEFAULT);
    }

    public static RunLimits slots(int maxSlots) {
        return new RunLimits(UNLIMITED, maxSlots, UNLIMITED, TICK_DEFAULT);
    }
}
