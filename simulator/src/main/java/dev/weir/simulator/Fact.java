package dev.weir.simulator;

import dev.weir.core.command.Heartbeat;
import dev.weir.core.command.UpdateStep;
import dev.weir.core.state.Move;
import dev.weir.core.state.UnitId;
import dev.weir.engine.request.StartOutcome;
import java.util.Set;

/** An event that is visible from outside: a decision of the rules, an answer, a request. A trace is a list of facts. */
sealed interface Fact {
    long at();

    /** A decision that is committed. */
    record Decided(Move move) implements Fact {
        @Override
        public long at() {
            return move.at();
        }
    }

    record PollOpened(String request, Set<String> modules, long at) implements Fact {}

    /** The end of a poll: it was answered, given up, or lost in a restart. */
    record PollEnded(String request, long at) implements Fact {}

    record Reported(UnitId unit, long fence, UpdateStep.Answer answer, long at) implements Fact {}

    /** The answer to a start, as its caller received it. */
    record StartAnswered(String run, StartOutcome answer, long at) implements Fact {}

    record HeartbeatAnswered(UnitId unit, long fence, Heartbeat.Answer answer, long at) implements Fact {}

    /** A worker began the work of a claim. */
    record WorkStarted(UnitId unit, long fence, long at) implements Fact {}

    /** Everything that may start has been started. */
    record Settled(long at) implements Fact {}

    /** The memory was discarded and rebuilt from the rows. */
    record Rebuilt(long at) implements Fact {}

    /** The simulation removed the row of a claim without the engine's knowledge. */
    record RowRemoved(UnitId unit, long fence, long at) implements Fact {}

    /**
     * Workers could not reach the engine until now: the store was unreachable, or the owner stood still, slept, or was
     * replaced.
     *
     * @param certain true if this certainly lasted longer than the engine may leave unnoticed
     */
    record WorkersUnreachable(boolean certain, long until) implements Fact {
        @Override
        public long at() {
            return until;
        }
    }

    record FaultsOff(long at) implements Fact {}

    /** Everything should have ended. */
    record Drained(long at) implements Fact {}
}
