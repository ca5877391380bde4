package dev.weir.core.state;

import dev.weir.core.definition.CancelPolicy;

/**
 * The end that a run is on its way to. Nothing more of the run starts, except steps that run after a failure or a
 * cancel.
 *
 * @param finalState the final state
 * @param policy the treatment of running steps
 * @param reason the reason, in words
 */
public record RunEnding(RunState finalState, CancelPolicy policy, String reason, long at) {
    /** The reason of a run that took longer than it may. */
    public static final String DEADLINE_PASSED = "its deadline has passed";
}
