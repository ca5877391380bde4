package dev.weir.core.life;

/** Where a run is in its life; what has ended stays ended. */
public enum RunState {
    /** Accepted, and held by a limit of runs. */
    QUEUED,
    RUNNING,
    /** Nothing of it can go on before a person, a signal or another run. */
    WAITING,
    /** Stopped by an operator, or by a step that failed; nothing more of it starts. */
    PAUSED,
    COMPENSATING,
    COMPLETED,
    FAILED,
    CANCELLED;

    public boolean ended() {
        return this == COMPLETED || this == FAILED || this == CANCELLED;
    }

    private boolean leadsTo(RunState next) {
        return switch (this) {
            case QUEUED -> next == RUNNING || next == PAUSED || next == CANCELLED;
            case RUNNING -> next == WAITING || next == PAUSED || next == COMPENSATING || next.ended();
            case WAITING -> next == RUNNING || next == PAUSED || next == COMPENSATING || next.ended();
            case PAUSED -> next == QUEUED || next == RUNNING || next == WAITING || next.ended();
            case COMPENSATING -> next == FAILED || next == CANCELLED;
            case COMPLETED, FAILED, CANCELLED -> false;
        };
    }

    /** The next state; a move that a run never makes is a bug. */
    RunState moveTo(RunState next) {
        if (!leadsTo(next)) {
            throw new IllegalStateException("expected a move that a run may make, found " + this + " to " + next);
        }
        return next;
    }
}
