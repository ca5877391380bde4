package dev.weir.core.life;

import java.util.EnumSet;
import java.util.Set;

/** Where a run is in its life; what has ended stays ended. {@code docs/STATES.md} is made from this. */
public enum RunState {
    QUEUED("Accepted, and held by a limit of runs, or put off until a time."),
    RUNNING("Something of it runs, may run, or goes on by itself."),
    WAITING("Nothing of it can go on before a person, a signal or another run."),
    PAUSED("Stopped by an operator, or by a step that failed; nothing more of it starts."),
    COMPENSATING("What was completed is undone, the last first."),
    COMPLETED("Every step has ended, and none has failed the run."),
    FAILED("A step has failed, or its time was over."),
    CANCELLED("Somebody did not want it any more.");

    private final String meaning;

    RunState(String meaning) {
        this.meaning = meaning;
    }

    /** What it is, in one sentence. */
    public String meaning() {
        return meaning;
    }

    public boolean ended() {
        return this == COMPLETED || this == FAILED || this == CANCELLED;
    }

    /** The states that a run can come to from this one. */
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

    /** The next state; a move that a run never makes is a bug. */
    RunState moveTo(RunState next) {
        if (!next().contains(next)) {
            throw new IllegalStateException("expected a move that a run may make, found " + this + " to " + next);
        }
        return next;
    }
}
