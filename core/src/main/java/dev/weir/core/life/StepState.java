package dev.weir.core.life;

/** Where a step, or an item of a fanned-out step, is in its life. */
public enum StepState {
    /** A step that needs others which have not ended. */
    BLOCKED,
    /** A step that may start as soon as its limits admit it. */
    READY,
    /** An item that may start as soon as its limits admit it. */
    REQUESTED,
    /** Claimed by a worker; a fanned-out step from its first item's start on. */
    RUNNING,
    NEEDS_INPUT,
    /** Between two tries. */
    BACKING_OFF,
    /** For a time, a person, a signal or another run. */
    WAITING,
    COMPLETED,
    FAILED,
    CANCELLED,
    SKIPPED;

    public boolean ended() {
        return this == COMPLETED || this == FAILED || this == CANCELLED || this == SKIPPED;
    }

    private boolean leadsTo(StepState next) {
        return switch (this) {
            case BLOCKED -> next == READY || next == WAITING || next.ended();
            case READY -> next == RUNNING || next == WAITING || next.ended();
            case REQUESTED -> next == RUNNING || next == FAILED || next == CANCELLED;
            case RUNNING ->
                next == READY
                        || next == REQUESTED
                        || next == NEEDS_INPUT
                        || next == BACKING_OFF
                        || next == WAITING
                        || (next.ended() && next != SKIPPED);
            case NEEDS_INPUT -> next == RUNNING || next == READY || next == REQUESTED || next.ended();
            case BACKING_OFF -> next == READY || next == REQUESTED || next == SKIPPED || next == CANCELLED;
            case WAITING -> next == READY || next == RUNNING || next == WAITING || next.ended();
            // An item whose step waits for an operator after a failure is tried again when the run is resumed.
            case FAILED -> next == REQUESTED;
            case COMPLETED, CANCELLED, SKIPPED -> false;
        };
    }

    /** The next state; a move that a step never makes is a bug. */
    StepState moveTo(StepState next) {
        if (!leadsTo(next)) {
            throw new IllegalStateException("expected a move that a step may make, found " + this + " to " + next);
        }
        return next;
    }
}
