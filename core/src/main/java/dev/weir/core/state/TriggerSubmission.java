package dev.weir.core.state;

import dev.weir.core.limit.Moment;
import dev.weir.core.state.CausalChain.Link;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Work for one trigger that started no run: an event, or a time of a schedule. Its dead letter keeps it as JSON, so that
 * it can be submitted to the same trigger again. The other triggers of an event are not concerned.
 */
public sealed interface TriggerSubmission {
    TriggerId trigger();

    /** The id of the run that it starts, the same each time. */
    String run();

    /** Returns what a dead letter keeps: the work, its trigger, and the place of the run in its chain. */
    ObjectNode toJson();

    /** An event. */
    record OfEvent(TriggerId trigger, EventRow event) implements TriggerSubmission {
        @Override
        public String run() {
            return trigger.runOf(event.id());
        }

        @Override
        public ObjectNode toJson() {
            RunLineage caused = event.lineageOfRun();
            ObjectNode json = event.toExpressionValue();
            json.set("trigger", name(trigger));
            return json.put("depth", caused.depth()).put("root", caused.root());
        }
    }

    /** A time of a schedule. */
    record OfTime(TriggerId trigger, long time) implements TriggerSubmission {
        @Override
        public String run() {
            return trigger.runOf(Moment.toInstant(time).toString());
        }

        @Override
        public ObjectNode toJson() {
            ObjectNode json = JsonNodeFactory.instance.objectNode();
            json.set("trigger", name(trigger));
            return json.put("scheduled_at", Moment.toInstant(time).toString());
        }
    }

    private static ObjectNode name(TriggerId trigger) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("workflow", trigger.workflow())
                .put("id", trigger.trigger());
    }

    /**
     * Returns the submission of a dead letter; null if it is none of a trigger.
     *
     * @param submission what the dead letter has kept
     */
    static @Nullable TriggerSubmission read(DeadLetter.Content content, JsonNode submission) {
        JsonNode named = submission.path("trigger");
        if (!named.isObject()) {
            return null;
        }
        var trigger = new TriggerId(
                named.path("workflow").stringValue(), named.path("id").stringValue());
        JsonNode scheduledAt = submission.path("scheduled_at");
        return scheduledAt.isString()
                ? new OfTime(trigger, Moment.of(Instant.parse(scheduledAt.stringValue())))
                : new OfEvent(trigger, readEvent(content, submission));
    }

    /** Returns the event. It counts as received, because the stored depth includes the event itself. */
    private static EventRow readEvent(DeadLetter.Content content, JsonNode json) {
        List<Link> before = content.chain().stream()
                .limit(Math.max(0, content.chain().size() - 1))
                .map(link -> new Link(Link.Kind.valueOf(link.type().name()), link.id(), link.name()))
                .toList();
        String source = json.path("source").stringValue();
        return new EventRow(
                0,
                json.path("id").stringValue(),
                json.path("name").stringValue(),
                source.isEmpty() ? null : source,
                json.path("data"),
                null,
                new RunLineage(
                        null,
                        null,
                        json.path("root").isString() ? json.path("root").stringValue() : null,
                        json.path("depth").intValue(),
                        content.by().isEmpty() ? null : content.by(),
                        new CausalChain(json.path("correlation_id").stringValue(), before)),
                Moment.of(Instant.parse(json.path("time").stringValue())));
    }
}
