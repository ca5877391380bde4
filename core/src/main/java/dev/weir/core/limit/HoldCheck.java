package dev.weir.core.limit;

/** The time at which a run that a limit holds is checked again at the latest. Freed room admits it sooner. */
public final class HoldCheck {
    /** The time after which a held run is checked again if its limits give no expected time, in microseconds. */
    public static final long INTERVAL_MICROS = 1_000_000;

    /** The largest jitter, in microseconds, so that runs that are held together are not all checked at once. */
    public static final long JITTER_MAX_MICROS = 1_000_000;

    private HoldCheck() {}

    /**
     * Returns the time of the next check, with the jitter of the run.
     *
     * @param expected the time at which the limits may admit it; {@link Moment#NEVER} if that is not known
     */
    public static long at(String run, long expected, long now) {
        long base = expected == Moment.NEVER ? Moment.plus(now, INTERVAL_MICROS) : Math.max(expected, now);
        return Moment.plus(base, Jitter.spread(run, JITTER_MAX_MICROS));
    }
}
