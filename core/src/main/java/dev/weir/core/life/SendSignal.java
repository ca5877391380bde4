package dev.weir.core.life;

import dev.weir.core.definition.Bounds;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Sends a signal to a run. It goes to the step that has waited for it longest; before any step waits, it is kept.
 *
 * @param id tells it from others of the run: the same again is no second signal. Without one nothing tells that
 */
public record SendSignal(String run, @Nullable String id, String name, JsonNode payload)
        implements Command<SendSignal.Answer> {
    /** The longest id, in characters. */
    public static final int ID_CHARS_MAX = 256;

    public SendSignal {
        if (id != null && (id.isBlank() || id.length() > ID_CHARS_MAX || id.indexOf('\0') >= 0)) {
            throw new IllegalArgumentException("a signal's id has 1 to " + ID_CHARS_MAX
                    + " characters, none of them U+0000, found " + id.length());
        }
        if (name.isBlank() || name.length() > Bounds.NAME_CHARS_MAX) {
            String expected = "a signal's name has 1 to " + Bounds.NAME_CHARS_MAX + " characters";
            throw new IllegalArgumentException(expected + ", found " + name.length());
        }
    }

    public SendSignal(String run, String name, JsonNode payload) {
        this(run, null, name, payload);
    }

    /** What the one who sends is told. */
    public enum Answer {
        DELIVERED,
        /** No step waits for it yet. */
        KEPT,
        /** A signal of that id has come before, with another name or payload. */
        OTHER_BODY,
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
        return org.signals.send(found, this, now);
    }
}
