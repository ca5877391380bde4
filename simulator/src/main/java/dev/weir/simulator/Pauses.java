package dev.weir.simulator;

import dev.weir.core.state.Move;
import dev.weir.core.state.WorkflowAvailability;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The stops that operators have set, according to the trace. The pause of a limit and the pause of the workflow whose runs
 * share it are independent: the limit admits nothing until both have ended.
 */
final class Pauses {
    /** The end of each pause of a limit. */
    private final Map<String, Long> untilByLimit = new HashMap<>();
    /** The limits on the runs of the workflows that are paused. */
    private final Set<String> ofWorkflows = new HashSet<>();

    private boolean suspended;

    void apply(Move.KeyPaused paused) {
        untilByLimit.put(paused.limit().text(), paused.until());
    }

    void apply(Move.KeyResumed resumed) {
        untilByLimit.remove(resumed.limit().text());
    }

    void apply(Move.OfStops move) {
        switch (move) {
            case Move.SuspensionChanged changed -> suspended = changed.suspension() != null;
            case Move.AvailabilityChanged changed -> {
                String limit = "workflow_runs:" + changed.workflow();
                if (changed.availability() == WorkflowAvailability.PAUSED) {
                    ofWorkflows.add(limit);
                } else {
                    ofWorkflows.remove(limit);
                }
            }
        }
    }

    void expire(long now) {
        untilByLimit.values().removeIf(until -> until <= now);
    }

    boolean isSuspended() {
        return suspended;
    }

    boolean isPaused(String limit) {
        return untilByLimit.containsKey(limit) || ofWorkflows.contains(limit);
    }

    /** The limits that operators have paused themselves. */
    List<String> pausedLimits() {
        return List.copyOf(untilByLimit.keySet());
    }
}
