package dev.weir.engine.shard;

import dev.weir.core.command.CancelRun;
import dev.weir.core.command.Command;
import dev.weir.core.command.Heartbeat;
import dev.weir.core.command.UpdateStep;
import dev.weir.core.command.WithState;
import dev.weir.core.json.JsonLength;
import dev.weir.core.json.StorableJson;
import dev.weir.core.state.Attribution;
import dev.weir.core.state.Update;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A message that carries one command. */
final class CommandMessage<A> extends Message<A> {
    private final Command<A> command;
    private final Attribution by;
    private final int bytes;
    private @Nullable A answer;

    CommandMessage(String org, Command<A> command, Attribution by, long arrivedAt) {
        super(org, arrivedAt);
        this.command = command;
        this.by = by;
        JsonNode data = command.data();
        this.bytes = BASE_BYTES + (data == null ? 0 : JsonLength.of(data));
    }

    /** The reason to refuse the command before any decision; absent if it may be decided. */
    @Nullable
    String refusal() {
        int chars = bytes - BASE_BYTES;
        if (chars > Update.OUTPUT_CHARS_MAX) {
            return "expected at most " + Update.OUTPUT_CHARS_MAX + " characters of JSON, found " + chars
                    + "; store large data elsewhere and pass its address";
        }
        JsonNode data = command.data();
        String problem = data == null ? null : StorableJson.findProblem(data);
        return problem == null ? null : "expected JSON that Weir can store, found " + problem;
    }

    /** The command without the query for the state after it. */
    private Command<?> innerCommand() {
        return command instanceof WithState<?> withState ? withState.command() : command;
    }

    @Override
    boolean canDefer(OrganisationBatch orgBatch) {
        // Heartbeats and reports come before the expiries of the same pass.
        if (innerCommand() instanceof UpdateStep update
                && orgBatch.organisation().isReportBudgetSpent()) {
            var unused = orgBatch.handle(new Heartbeat(update.unit(), update.fence()));
            return true;
        }
        return !(innerCommand() instanceof Heartbeat || innerCommand() instanceof UpdateStep);
    }

    @Override
    String describe() {
        Command<?> inner = innerCommand();
        String about = inner.describeTarget();
        return inner.getClass().getSimpleName() + (about == null ? "" : " of " + about);
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
    void decide(OrganisationBatch orgBatch) {
        A decided = orgBatch.handle(command, by);
        answer = decided;
        String run = historyRead ? null : unknownRun(decided);
        if (run != null && orgBatch.isUnknownRun(run)) {
            runToLookUp = run;
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
    Runnable prepareResponse(OrganisationBatch orgBatch) {
        A response = answer;
        if (response == null) {
            throw new IllegalStateException("expected an answer to " + command + ", found none");
        }
        return () -> future.complete(response);
    }
}
