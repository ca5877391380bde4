package dev.weir.core.command;

import dev.weir.core.definition.DefinitionBounds;
import dev.weir.core.json.Fingerprint;
import dev.weir.core.state.EventRow;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Receives an event, for the triggers of the organisation's workflows. The same id again is the same event.
 *
 * @param id the id, unique within the organisation
 * @param correlationId the id that the event shares with what led to it; absent = its own id
 * @param sentBy the name of the sender
 * @param stored the fingerprint of the stored event with that id; absent if none is stored
 */
public record ReceiveEvent(
        String id,
        String name,
        @Nullable String source,
        JsonNode payload,
        @Nullable String correlationId,
        String sentBy,
        @Nullable Integer stored)
        implements Command<ReceiveEvent.Answer> {
    public ReceiveEvent {
        if (id.isBlank() || id.length() > EventRow.ID_CHARS_MAX || id.startsWith(EventRow.EMITTED_PREFIX)) {
            throw new IllegalArgumentException("an event's id has 1 to " + EventRow.ID_CHARS_MAX
                    + " characters and does not begin with " + EventRow.EMITTED_PREFIX + ", found '" + id + "'");
        }
        if (name.isBlank() || name.length() > DefinitionBounds.NAME_CHARS_MAX) {
            String expected = "an event's name has 1 to " + DefinitionBounds.NAME_CHARS_MAX + " characters";
            throw new IllegalArgumentException(expected + ", found " + name.length());
        }
    }

    /** The answer to the caller. */
    public enum Answer {
        /** The event is stored and will be delivered. */
        RECEIVED,
        /** The same event was received before. */
        EXISTING,
        /** Another event has this id. */
        OTHER_BODY,
        /** Too many events wait for their triggers. */
        TOO_MANY
    }

    @Override
    public JsonNode data() {
        return payload;
    }

    @Override
    public String describeTarget() {
        return "event " + id;
    }

    @Override
    public Answer decide(OrganisationControls org, long now) {
        Integer known = stored != null ? stored : org.events().findReceived(id);
        if (known != null) {
            int sent = EventRow.fingerprint(name, source, payload, correlationId);
            return Fingerprint.mayBeRepeat(known, sent) ? Answer.EXISTING : Answer.OTHER_BODY;
        }
        if (org.events().isFull()) {
            return Answer.TOO_MANY;
        }
        org.events().receive(this, now);
        return Answer.RECEIVED;
    }
}
