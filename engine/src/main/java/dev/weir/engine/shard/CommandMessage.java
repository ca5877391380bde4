package dev.weir.engine.shard;

import dev.weir.core.life.CancelRun;
import dev.weir.core.life.Command;
import dev.weir.core.life.Update;
import dev.weir.core.life.UpdateStep;
import org.jspecify.annotations.Nullable;

/** A command as it is. */
final class CommandMessage<A> extends Message<A> {
    private final Command<A> command;
    private final int bytes;
    private @Nullable A answer;

    CommandMessage(String org, Command<A> command, long since) {
        super(org, since);
        this.command = command;
        this.bytes = SMALL + outputChars(command);
    }

    private static int outputChars(Command<?> command) {
        return command instanceof UpdateStep update && update.update() instanceof Update.Completed completed
                ? completed.output().toString().length()
                : 0;
    }

    @Override
    int bytes() {
        return bytes;
    }

    @Override
    Rank rank() {
        return Rank.VITAL;
    }

    @Override
    void decide(Turn turn) {
        A decided = turn.handle(command);
        answer = decided;
        String run = historyKnown ? null : unknownRun(decided);
        if (run != null && turn.knowsNothingOf(run)) {
            asksHistoryOf = run;
        }
    }

    /** The run that memory knows nothing of, if history could make the answer another. */
    private @Nullable String unknownRun(A decided) {
        if (command instanceof UpdateStep update && decided == UpdateStep.Answer.NOT_FOUND) {
            return update.unit().run();
        }
        return command instanceof CancelRun cancel && decided instanceof CancelRun.Answer.NotFound
                ? cancel.run()
                : null;
    }

    @Override
    Runnable tell(Turn turn) {
        A told = answer;
        if (told == null) {
            throw new IllegalStateException("expected an answer to " + command + ", found none");
        }
        return () -> future.complete(told);
    }
}
