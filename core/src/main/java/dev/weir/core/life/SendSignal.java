package dev.weir.core.life;

import dev.weir.core.definition.Bounds;
import tools.jackson.databind.JsonNode;

/** Sends a signal to a run. It goes to the step that has waited for it longest; before any step waits, it is kept. */
public record SendSignal(String run, String name, JsonNode payload) implements Command<SendSignal.Answer> {
    public SendSignal {
        if (name.isBlank() || name.length() > Bounds.NAME_CHARS_MAX) {
            String expected = "a signal's name has 1 to " + Bounds.NAME_CHARS_MAX + " characters";
            throw new IllegalArgumentException(expected + ", found " + name.length());
        }
    }

    /** What the one who sends is told. */
    public enum Answer {
        DELIVERED,
        /** No step waits for it yet. */
        KEPT,
        /** More signals are kept for the run than anybody will wait for. */
        TOO_MANY,
        RUN_ENDED,
        NOT_FOUND
    }

    @Override
    public Answer decide(Organisation org, long now) {
        Run found = org.runs.get(run);
        if (found == null) {
            return org.ended.find(run).isPresent() ? Answer.RUN_ENDED : Answer.NOT_FOUND;
        }
        return org.signals.send(found, name, payload, now);
    }
}
