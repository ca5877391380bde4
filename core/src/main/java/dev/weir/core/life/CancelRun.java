package dev.weir.core.life;

import dev.weir.core.definition.CancelPolicy;
import dev.weir.core.state.RunEnding;
import dev.weir.core.state.RunState;
import org.jspecify.annotations.Nullable;

/**
 * Cancels a run. Nothing more of it starts, except steps that run in any case. It ends as soon as nothing of it is in
 * flight.
 *
 * @param policy the treatment of running steps; absent = as the workflow defines
 */
public record CancelRun(String run, @Nullable CancelPolicy policy, String reason) implements Command<CancelRun.Answer> {
    /** The answer to the caller. */
    public sealed interface Answer {
        /** The run is ending or has just ended, as its state tells. */
        record Cancelling(RunState state) implements Answer {}

        /** The run had ended before. */
        record AlreadyEnded(RunState state) implements Answer {}

        record NotFound() implements Answer {}
    }

    @Override
    public Answer decide(Organisation org, long now) {
        Run found = org.runs.get(run);
        if (found == null) {
            return org.ended
                    .find(run)
                    .<Answer>map(ended -> new Answer.AlreadyEnded(ended.state()))
                    .orElseGet(Answer.NotFound::new);
        }
        CancelPolicy chosen =
                policy == null ? found.request.plan().workflow().policy().cancel() : policy;
        var ending = new RunEnding(RunState.CANCELLED, chosen, reason, now);
        org.lives.cancel(found, ending, now);
        return new Answer.Cancelling(found.state);
    }
}
