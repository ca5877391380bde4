package dev.weir.core.life;

import dev.weir.core.expression.RenderFailed;
import tools.jackson.databind.JsonNode;

/**
 * Mends the input of a run: before it has started, or while steps of it wait for input that is missing. A run that still waits
 * for its place is then limited by the {@code run_key} of its new input, and keeps its age.
 */
public record AmendInput(String run, JsonNode input) implements Command<AmendInput.Answer> {
    /** What the person is told. */
    public enum Answer {
        /** This is its input now, or was before. */
        AMENDED,
        /** The run has started, and no step of it lacks input. */
        NOT_WAITING,
        /** Items of a step are still being made from the input that it has. */
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
        if (started && !found.waitsFor(WaitsFor.MISSING_INPUT)) {
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
        Ask ask;
        try {
            ask = queued.request.ask(input);
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
