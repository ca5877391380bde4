package dev.weir.core.state;

import dev.weir.core.json.Fingerprint;
import dev.weir.core.json.JsonLength;
import dev.weir.core.limit.Moment;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * An event of an organisation: one that was received, or one that a step emitted.
 *
 * @param number the position in the order of arrival
 * @param id the id, unique within the organisation
 * @param name the name that triggers refer to; the {@code type} of a CloudEvent
 * @param source the source that the sender named; absent if it named none
 * @param emittedBy the step that emitted it; absent if it was received
 * @param lineage the actor that sent it, and the runs and events before it
 */
public record EventRow(
        long number,
        String id,
        String name,
        @Nullable String source,
        JsonNode data,
        @Nullable UnitId emittedBy,
        RunLineage lineage,
        long at) {
    public static final int ID_CHARS_MAX = 256;
    public static final int SOURCE_CHARS_MAX = 1_024;
    /** The largest data of an event, in characters of JSON: as much as the input of a run. */
    public static final int DATA_CHARS_MAX = 256 * 1_024;

    /** The beginning of the ids of emitted events, which no sender can use. */
    public static final String EMITTED_PREFIX = "weir.";

    public EventRow withNumber(long newNumber) {
        return new EventRow(newNumber, id, name, source, data, emittedBy, lineage, at);
    }

    /** Returns a number that tells a repeated event from another one with the same id. */
    public int fingerprint() {
        return fingerprint(name, source, data, lineage.chain().correlationId());
    }

    /** Returns the fingerprint of an event that is not accepted yet. */
    public static int fingerprint(String name, @Nullable String source, JsonNode data, @Nullable String correlationId) {
        long print = Fingerprint.with(Fingerprint.of(0), name);
        print = Fingerprint.with(print, source);
        print = Fingerprint.with(print, data);
        return Fingerprint.fold(Fingerprint.with(print, correlationId));
    }

    /** The size of its data, in characters of JSON. */
    public int chars() {
        return JsonLength.of(data);
    }

    public String correlationId() {
        return lineage.correlationId(id);
    }

    /** Returns the lineage of a run that it starts. */
    public RunLineage lineageOfRun() {
        int depth = emittedBy == null ? lineage.depth() : lineage.depth() + 1;
        var link = new CausalChain.Link(CausalChain.Link.Kind.EVENT, id, name);
        return new RunLineage(
                null,
                null,
                lineage.root(),
                depth,
                lineage.startedBy(),
                lineage.chain().followedBy(correlationId(), link));
    }

    /** Returns the event as the expressions of triggers see it. */
    public ObjectNode toExpressionValue() {
        ObjectNode json = JsonNodeFactory.instance
                .objectNode()
                .put("id", id)
                .put("name", name)
                .put("type", name)
                .put("source", source == null ? "" : source)
                .put("time", Moment.toInstant(at).toString())
                .put("correlation_id", correlationId());
        json.set("data", data);
        return json;
    }
}
