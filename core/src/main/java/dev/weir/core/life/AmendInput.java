package dev.weir.core.life;

import tools.jackson.databind.JsonNode;

/** Mends the input of a run: before it has started, or while steps of it wait for input that is missing. */
public record AmendInput(String run, JsonNode input) implements Command<AmendInput.Answer> {
    /** What the person is told. */
    public enum Answer {
        /** This is its input now, or was before. */
        AMENDED,
        /** The run has started, and no step of it lacks input. */
        NOT_WAITING,
        /** Items of a step are still being made from the input that it has. */
        MAKING_ITEMS,
        NOT_FOUND
    }

    @Override
    public Answer decide(Organisation org, long now) {
        Run found = org.runs.get(run);
        if (found == null) {
            return Answer.NOT_FOUND;
        }
        if (found.gate != null && !found.waitsFor(WaitsFor.MISSING_INPUT)) {
            return found.input().equals(input) ? Answer.AMENDED : Answer.NOT_WAITING;
        }
        if (found.makesItems()) {
            return found.input().equals(input) ? Answer.AMENDED : Answer.MAKING_ITEMS;
        }
        found.amend(input);
        org.moves.add(new Move.RunChanged(found.ref, found.ask, found.detail, now));
        org.remedies.inputMended(found, now);
        return Answer.AMENDED;
    }
}
