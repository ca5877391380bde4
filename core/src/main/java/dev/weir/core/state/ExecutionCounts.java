package dev.weir.core.state;

/**
 * Totals of what the runs of an organisation did. Each is counted once, by the transaction in which it happened.
 *
 * @param started the runs that started
 * @param deferred the runs whose start a limit has held
 * @param debounced the events that were merged into a later one
 * @param cascadeDetected the starts that ended a chain of runs and events that was too long
 */
public record ExecutionCounts(long started, long deferred, long debounced, long cascadeDetected) {
    public static final ExecutionCounts NONE = new ExecutionCounts(0, 0, 0, 0);

    /** Returns the totals after a move. This is the only place that knows which moves count. */
    public ExecutionCounts plus(Move move) {
        if (move instanceof Move.RunMoved moved
                && moved.from() == RunState.QUEUED
                && moved.row().state() == RunState.RUNNING) {
            return new ExecutionCounts(started + 1, deferred, debounced, cascadeDetected);
        }
        if (move instanceof Move.DeadLettered ended
                && ended.letter().content().reason() == DeadLetter.Reason.CASCADE_DETECTED) {
            return new ExecutionCounts(started, deferred, debounced, cascadeDetected + 1);
        }
        if (move instanceof Move.WindowMoved moved && moved.window().events() > 1) {
            return new ExecutionCounts(started, deferred, debounced + 1, cascadeDetected);
        }
        return move instanceof Move.RunHeld
                ? new ExecutionCounts(started, deferred + 1, debounced, cascadeDetected)
                : this;
    }
}
