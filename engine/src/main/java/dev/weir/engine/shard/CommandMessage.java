package dev.weir.engine.shard;

import dev.weir.core.command.CancelRun;
import dev.weir.core.command.Command;
import dev.weir.core.command.Heartbeat;
import dev.weir.core.command.UpdateStep;
import dev.weir.core.command.WithState;
import dev.weir.core.json.JsonLength;
import dev.weir.core.json.StorableJson;
import dev.weir.core.state.Update;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A message that carries one command. */
final class CommandMessage<A> extends Message<A> {
    private final Command<A> command;
    private final int bytes;
    private @Nullable A answer;

    CommandMessage(String org, Command<A> command, long since) {
        super(org, since);
        this.command = command;
        JsonNode data = command.data();
        this.bytes = SMALL + (data == null ? 0 : JsonLength.of(data));
    }

    /** The reason to refuse the command before any decision; absent if it may be decided. */
    @Nullable
    String refusal() {
        int chars = bytes - SMALL;
        if (chars > Update.OUTPUT_CHARS_MAX) {
            return "expected at most " + Update.OUTPUT_CHARS_MAX + " characters of JSON, found " + chars
                    + "; keep large data elsewhere and give its address";
        }
        JsonNode data = command.data();
        String misfit = data == null ? null : StorableJson.misfit(data);
        return misfit == null ? null : "expected JSON that can be kept, found " + misfit;
    }

    /** The command without the query for the state after it. */
    private Command<?> asked() {
        return command instanceof WithState<?> both ? both.command() : command;
    }

    @Override
    boolean waits(OrganisationBatch turn) {
        // Heartbeats and reports come before the expiries of the same pass.
        if (asked() instanceof UpdateStep update && turn.organisation().hasSpentItsReports()) {
            var unused = turn.handle(new Heartbeat(update.unit(), update.fence()));
            return true;
        }
        return !(asked() instanceof Heartbeat || asked() instanceof UpdateStep);
    }

    @Override
    String what() {
        Command<?> asked = asked();
        String about = asked.about();
        return asked.getClass().getSimpleName() + (about == null ? "" : " of " + about);
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
    void decide(OrganisationBatch turn) {
        A decided = turn.handle(command);
        answer = decided;
        String run = historyKnown ? null : unknownRun(decided);
        if (run != null && turn.knowsNothingOf(run)) {
            asksHistoryOf = run;
        }
    }

    /** The run that memory does not know, if history could change the answer. */
    private @Nullable String unknownRun(A decided) {
        if (command instanceof UpdateStep update && decided == UpdateStep.Answer.NOT_FOUND) {
            return update.unit().run();
        }
        return command instanceof CancelRun cancel && decided instanceof CancelRun.Answer.NotFound
                ? cancel.run()
                : null;
    }

    @Override
    Runnable tell(OrganisationBatch turn) {
        A told = answer;
        if (told == null) {
            throw new IllegalStateException("expected an answer to " + command + ", found none");
        }
        return () -> future.complete(told);
    }
}
