package dev.weir.core.admission;

import java.util.Map;

/**
 * The present state of a module.
 *
 * @param waiting number of its tickets that wait, for whatever reason
 * @param ready number of those that could start now if enough workers polled: they lack only a worker
 * @param oldestReadySince the time since when the oldest of these has waited; {@link #NONE_READY} if there is none
 * @param held number of waiting tickets by the kind of limit that holds them, or would hold them once the ready ones
 *     have started; kinds that hold none are absent
 * @param running number of its tickets that are in flight
 */
public record ModuleSnapshot(
        String module, long waiting, long ready, long oldestReadySince, Map<HoldKind, Long> held, long running) {
    /** The value of {@code oldestReadySince} if no ticket is ready. */
    public static final long NONE_READY = Long.MAX_VALUE;

    public ModuleSnapshot {
        held = Map.copyOf(held);
    }

    /** Returns the state of a module that has no tickets and no allocations. */
    static ModuleSnapshot unused(String module) {
        return new ModuleSnapshot(module, 0, 0, NONE_READY, Map.of(), 0);
    }
}
