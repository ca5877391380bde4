package dev.weir.core.life;

import dev.weir.core.definition.CancelPolicy;
import org.jspecify.annotations.Nullable;

/**
 * Cancels a run: nothing more of it starts, save what runs in any case, and it ends as soon as nothing of it is in
 * flight.
 *
 * @param policy what becomes of the steps that are running; absent = what the workflow says
 */
public record CancelRun(String run, @Nullable CancelPolicy policy, String reason) implements Command<CancelRun.Answer> {
    /** What the one who cancels is told. */
    public sealed interface Answer {
        /** The run is on its way to its end, or there: its state says which. */
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
        var ending = new Ending(RunState.CANCELLED, chosen, reason, now);
        org.lives.cancel(found, ending, now);
        return new Answer.Cancelling(found.state);
    }
}
