package dev.weir.core.state;

import java.util.EnumSet;
import java.util.Set;

/** The state of a run. Final states never change. {@code docs/STATES.md} is generated from this enum. */
public enum RunState {
    QUEUED("Accepted; a limit on runs holds it, or its delayed start has not come yet."),
    RUNNING("A step is running or can start, or the run continues without outside help."),
    WAITING("Every remaining step waits for a person, a signal or another run."),
    PAUSED("An operator or a failed step has paused it; no more steps start."),
    COMPENSATING("Weir undoes the completed steps, the last one first."),
    COMPLETED("Every step has ended, and no step has failed the run."),
    FAILED("A step has failed the run, or its deadline has passed."),
    CANCELLED("Somebody has cancelled it, or its deadline has passed with the action `cancel`.");

    private final String meaning;

    RunState(String meaning) {
        this.meaning = meaning;
    }

    /** The meaning of the state in one sentence. */
    public String meaning() {
        return meaning;
    }

    public boolean ended() {
        return this == COMPLETED || this == FAILED || this == CANCELLED;
    }

    /** The states that a run can move to from this one. */
    public Set<RunState> next() {
        return switch (this) {
            case QUEUED -> EnumSet.of(RUNNING, PAUSED, CANCELLED);
            case RUNNING -> EnumSet.of(WAITING, PAUSED, COMPENSATING, COMPLETED, FAILED, CANCELLED);
            case WAITING -> EnumSet.of(RUNNING, PAUSED, COMPENSATING, COMPLETED, FAILED, CANCELLED);
            case PAUSED -> EnumSet.of(QUEUED, RUNNING, COMPLETED, CANCELLED);
            case COMPENSATING -> EnumSet.of(FAILED, CANCELLED);
            case COMPLETED, FAILED, CANCELLED -> EnumSet.noneOf(RunState.class);
        };
    }

    /** Returns the next state; throws if a run never makes that move, because that is a bug. */
    public RunState moveTo(RunState next) {
        if (!next().contains(next)) {
            throw new IllegalStateException("expected a move that a run may make, found " + this + " to " + next);
        }
        return next;
    }
}
