package dev.weir.core.command;

import dev.weir.core.definition.CancelPolicy;
import dev.weir.core.state.RunEnding;
import dev.weir.core.state.RunRow;
import dev.weir.core.state.RunState;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Cancels a run. Nothing more of it starts, except steps that run in any case. It ends as soon as nothing of it is in
 * flight.
 *
 * @param policy the treatment of running steps; absent = as the workflow defines
 */
public record CancelRun(String run, @Nullable CancelPolicy policy, String reason)
        implements RunCommand<CancelRun.Answer>, AuditedRunCommand {
    /** The answer to the caller. */
    public sealed interface Answer {
        /** The run is ending or has just ended, as its state tells. */
        record Cancelling(RunState state) implements Answer {}

        /** The run had ended before. */
        record AlreadyEnded(RunState state) implements Answer {}

        record NotFound() implements Answer {}
    }

    @Override
    public @Nullable JsonNode data() {
        return null;
    }

    @Override
    public Answer decide(RunControl runs, long now) {
        RunRow found = runs.findRun(run).orElse(null);
        if (found == null) {
            return runs.findEnded(run)
                    .<Answer>map(ended -> new Answer.AlreadyEnded(ended.state()))
                    .orElseGet(Answer.NotFound::new);
        }
        CancelPolicy chosen =
                policy == null ? found.request().plan().workflow().policy().cancel() : policy;
        return new Answer.Cancelling(runs.cancel(run, new RunEnding(RunState.CANCELLED, chosen, reason, now), now));
    }
}
