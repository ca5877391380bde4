package dev.weir.core.command;

import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.Pin;
import dev.weir.core.limit.RunLimitConfig;
import java.util.Optional;

/** Changes operators' settings for shared limits. */
public interface KeyControl {
    /** Finds the values that are pinned now. */
    Optional<Pin> findPin(LimitId.Shared limit, long now);

    void pin(LimitId.Shared limit, Pin pin, long now);

    /** Removes the pinned values. Returns false if there were none. */
    boolean unpin(LimitId.Shared limit, long now);

    /** Finds the end of the pause that an operator set. */
    Optional<Long> findPause(LimitId.Shared limit, long now);

    /** Finds the end of the hold that a called service asked for. */
    Optional<Long> findHold(LimitId.Shared limit, long now);

    /** Counts the starts against the rate of a limit, in units of cost; 0 if the limit is not known. */
    long countStarts(LimitId.Shared limit, long now);

    void pause(LimitId.Shared limit, long until, long now);

    /** Ends a pause, and a hold that a called service asked for. Returns false if there was neither. */
    boolean resume(LimitId.Shared limit, long now);

    /** Forgets the starts that were counted against the rates of a limit. */
    void resetRate(LimitId.Shared limit, long now);

    /** Returns the operators' values for a limit on runs; without values if there are none. */
    RunLimitConfig findRunLimits(LimitId.Runs limit);

    /** Replaces the operators' values for a limit on runs. */
    void configureRunLimits(LimitId.Runs limit, RunLimitConfig config, long now);

    /** The number of run keys that have a configuration of their own. */
    int configuredRunKeys();
}
