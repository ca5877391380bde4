package dev.weir.testkit.simulator;

import dev.weir.core.life.Heartbeat;
import dev.weir.core.life.Move;
import dev.weir.core.life.UnitId;
import dev.weir.core.life.UpdateStep;
import dev.weir.engine.StartAnswer;
import java.util.Set;

/** Something that was seen from outside: what the rules decided, what was answered, who asked. A trace is a list of these. */
sealed interface Fact {
    long at();

    /** This was decided, and is committed. */
    record Decided(Move move) implements Fact {
        @Override
        public long at() {
            return move.at();
        }
    }

    record PollOpened(String request, Set<String> modules, long at) implements Fact {}

    /** A poll was answered, given up, or lost in a restart. */
    record PollEnded(String request, long at) implements Fact {}

    record Reported(UnitId unit, long fence, UpdateStep.Answer answer, long at) implements Fact {}

    /** Somebody was told what became of a start. */
    record StartAnswered(String run, StartAnswer answer, long at) implements Fact {}

    record Beaten(UnitId unit, long fence, Heartbeat.Answer answer, long at) implements Fact {}

    /** A worker began the body of a claim. */
    record BodyStarted(UnitId unit, long fence, long at) implements Fact {}

    /** All that may start has been started. */
    record Settled(long at) implements Fact {}

    /** The memory was thrown away and built again from the rows. */
    record Rebuilt(long at) implements Fact {}

    /** Somebody has removed the row of a claim behind the engine's back. */
    record RowRemoved(UnitId unit, long fence, long at) implements Fact {}

    /**
     * Workers could not be heard until now: the store was away, or the owner stood still, slept, or is another one.
     *
     * @param surely whether for longer than may go unnoticed
     */
    record Unheard(boolean surely, long until) implements Fact {
        @Override
        public long at() {
            return until;
        }
    }

    record FaultsOff(long at) implements Fact {}

    /** Everything should have ended. */
    record Drained(long at) implements Fact {}
}
