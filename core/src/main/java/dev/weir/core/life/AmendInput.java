package dev.weir.core.life;

import dev.weir.core.expression.RenderFailed;
import dev.weir.core.plan.LimitNeeds;
import dev.weir.core.plan.RunNeeds;
import dev.weir.core.state.AwaitedEvent;
import dev.weir.core.state.Move;
import dev.weir.core.state.RunRequest;
import tools.jackson.databind.JsonNode;

/**
 * Amends the input of a run before it has started, or while steps of it wait for missing input. A run that is still
 * queued is then limited by the {@code run_key} of its new input, and keeps its age.
 */
public record AmendInput(String run, JsonNode input) implements Command<AmendInput.Answer> {
    /** The answer to the person. */
    public enum Answer {
        /** The run has this input now, or had it before. */
        AMENDED,
        /** The run has started, and no step of it lacks input. */
        NOT_WAITING,
        /** Items of a step are still being created from the current input. */
        MAKING_ITEMS,
        /** The {@code run_key} that limits the run cannot be rendered from this input. */
        NO_RUN_KEY,
        NOT_FOUND
    }

    @Override
    public Answer decide(Organisation org, long now) {
        Run found = org.runs.get(run);
        if (found == null) {
            return Answer.NOT_FOUND;
        }
        boolean started = found.gate != null || found.held != null;
        if (started && !found.waitsFor(AwaitedEvent.MISSING_INPUT)) {
            return found.input().equals(input) ? Answer.AMENDED : Answer.NOT_WAITING;
        }
        if (found.makesItems()) {
            return found.input().equals(input) ? Answer.AMENDED : Answer.MAKING_ITEMS;
        }
        if (!started) {
            return beforeItsStart(found, org, now);
        }
        found.amend(input);
        org.moves.add(new Move.RunChanged(found.ref, found.ask, found.detail, now));
        org.remedies.inputMended(found, now);
        return Answer.AMENDED;
    }

    private Answer beforeItsStart(Run queued, Organisation org, long now) {
        LimitNeeds ask;
        try {
            RunRequest request = queued.request;
            ask = RunNeeds.of(request.plan(), request.run(), input, request.priority(), org.budget.counter);
        } catch (RenderFailed e) {
            return Answer.NO_RUN_KEY;
        }
        queued.amend(input);
        if (!org.lives.asksAnew(queued, ask, now)) {
            org.moves.add(new Move.RunChanged(queued.ref, queued.ask, queued.detail, now));
        }
        return Answer.AMENDED;
    }
}
