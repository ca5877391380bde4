package dev.weir.core.admission;

import dev.weir.core.limit.LimitId;
import java.util.List;

/** Watches the usage of shared limits for notices: it finds limits whose usage reached a threshold. */
public final class UsageWatch {
    private final AdmissionRegistry registry;

    UsageWatch(AdmissionRegistry registry) {
        this.registry = registry;
    }

    /** Sets the usage of limits from which crossings are found, in percent of the limit. */
    public void configure(int warnPercent, int lowPercent) {
        registry.crossings.configure(warnPercent, lowPercent);
    }

    /** Returns and clears the limits whose usage reached a threshold since the last call. */
    public List<UsageCrossing> takeCrossings() {
        return registry.crossings.take();
    }

    /** Returns and clears the limits that refused tickets wider than they are since the last call. */
    public List<LimitId.Shared> takeTooWide() {
        return registry.crossings.takeTooWide();
    }

    /** Stops looking for limits that cross a threshold for the first time, or looks for them again. */
    public void setFull(boolean full) {
        registry.crossings.setFull(full);
    }

    /** Lets the next start that reaches a threshold of a limit be found again. */
    public void rearm(String limit, boolean isRate) {
        UsageReader.rearm(registry, limit, isRate);
    }

    /** The usage of the capacity or of the rate of a limit. */
    public UsageReading read(LimitId.Shared id, boolean isRate, long now) {
        return UsageReader.read(registry.findLimit(id), isRate, now);
    }
}
