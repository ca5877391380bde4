package dev.weir.engine.live;

import java.time.Duration;
import java.util.Optional;

/** The recent activity of organisations, as far as this node was running and keeps it in memory. */
public interface Activity {
    /** Returns the use of a flow-control key in the last hour; empty if it was not used. */
    Optional<KeyHistory> history(String org, String key);

    /**
     * Returns a summary of the last hour of a flow-control key; empty if it was not used.
     *
     * @param pace the time in which recent starts are counted
     */
    Optional<KeyTrend> trend(String org, String key, Duration pace);

    /** Returns the number of steps of an organisation that started in a second, over the last ten seconds. */
    double startsPerSecond(String org);
}
