package dev.weir.core.command;

import dev.weir.core.definition.DefinitionBounds;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Sends a signal to a run. It goes to the step that has waited for it longest, or is stored until a step waits for it.
 *
 * @param id the id of the signal within the run: the same id again is not a second signal. Signals without an id cannot
 *     be deduplicated
 */
public record SendSignal(String run, @Nullable String id, String name, JsonNode payload)
        implements RunCommand<SendSignal.Answer> {
    /** The longest id, in characters. */
    public static final int ID_CHARS_MAX = 256;

    public SendSignal {
        if (id != null && (id.isBlank() || id.length() > ID_CHARS_MAX || id.indexOf('\0') >= 0)) {
            throw new IllegalArgumentException("a signal's id has 1 to " + ID_CHARS_MAX
                    + " characters, none of them U+0000, found " + id.length());
        }
        if (name.isBlank() || name.length() > DefinitionBounds.NAME_CHARS_MAX) {
            String expected = "a signal's name has 1 to " + DefinitionBounds.NAME_CHARS_MAX + " characters";
            throw new IllegalArgumentException(expected + ", found " + name.length());
        }
    }

    public SendSignal(String run, String name, JsonNode payload) {
        this(run, null, name, payload);
    }

    /** The answer to the caller. */
    public enum Answer {
        DELIVERED,
        /** No step waits for it yet. */
        KEPT,
        /** A signal with that id came before, with another name or payload. */
        OTHER_BODY,
        /** Too many signals are already stored for the run. */
        TOO_MANY,
        RUN_ENDED,
        NOT_FOUND
    }

    @Override
    public JsonNode data() {
        return payload;
    }

    @Override
    public Answer decide(RunControl runs, long now) {
        if (!runs.isLive(run)) {
            return runs.findEnded(run).isPresent() ? Answer.RUN_ENDED : Answer.NOT_FOUND;
        }
        return runs.send(this, now);
    }
}
