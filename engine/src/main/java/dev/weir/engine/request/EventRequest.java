package dev.weir.engine.request;

import dev.weir.core.json.CanonicalJson;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A request to receive an event.
 *
 * @param id the id, unique within the organisation; the same id with the same body is the same event
 * @param hasNewId true if the id was just made, so that no event can have it
 * @param source the source that the sender named; absent if it named none
 * @param correlationId the id that the event shares with what led to it; absent = its own id
 */
public record EventRequest(
        String id,
        boolean hasNewId,
        String name,
        @Nullable String source,
        JsonNode data,
        @Nullable String correlationId) {
    /** Copies the data in canonical form, so that it cannot change, and equal requests stay equal. */
    public EventRequest {
        data = CanonicalJson.of(data);
    }

    public static EventRequest of(String id, String name, JsonNode data) {
        return new EventRequest(id, false, name, null, data, null);
    }
}
