package dev.weir.postgres.json;

import dev.weir.core.definition.MissedRuns;
import dev.weir.core.state.CausalChain;
import dev.weir.core.state.RunLineage;
import dev.weir.core.state.WorkflowTriggers;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** JSON columns of events and triggers. */
public final class EventJson {
    private EventJson() {}

    /** Returns the lineage of an event; null if there is nothing to store. */
    public static @Nullable String lineage(RunLineage lineage) {
        ObjectNode json = StoredJson.NODES.objectNode();
        if (lineage.root() != null) {
            json.put("root", lineage.root());
        }
        if (lineage.depth() != 0) {
            json.put("depth", lineage.depth());
        }
        if (lineage.startedBy() != null) {
            json.put("by", lineage.startedBy());
        }
        putChain(json, lineage.chain());
        return json.isEmpty() ? null : StoredJson.text(json);
    }

    public static RunLineage readLineage(@Nullable String text) {
        if (text == null) {
            return RunLineage.NONE;
        }
        JsonNode json = StoredJson.read(text);
        return new RunLineage(
                null,
                null,
                json.has("root") ? json.get("root").stringValue() : null,
                json.path("depth").asInt(0),
                json.has("by") ? json.get("by").stringValue() : null,
                readChain(json));
    }

    /** Adds the fields of a chain. */
    static void putChain(ObjectNode json, CausalChain chain) {
        if (chain.correlationId() != null) {
            json.put("correlation", chain.correlationId());
        }
        if (!chain.links().isEmpty()) {
            ArrayNode links = json.putArray("chain");
            for (CausalChain.Link link : chain.links()) {
                links.addArray().add(link.kind().word()).add(link.id()).add(link.name());
            }
        }
    }

    static CausalChain readChain(JsonNode json) {
        if (!json.has("correlation") && !json.has("chain")) {
            return CausalChain.NONE;
        }
        List<CausalChain.Link> links = new ArrayList<>();
        for (JsonNode link : json.path("chain")) {
            var kind = CausalChain.Link.Kind.valueOf(link.get(0).stringValue().toUpperCase(Locale.ROOT));
            links.add(new CausalChain.Link(
                    kind, link.get(1).stringValue(), link.get(2).stringValue()));
        }
        return new CausalChain(json.has("correlation") ? json.get("correlation").stringValue() : null, links);
    }

    /** Reads the triggers of a stored definition, as it lists them. */
    public static WorkflowTriggers readTriggers(@Nullable String text) {
        if (text == null) {
            return WorkflowTriggers.NONE;
        }
        SortedSet<String> events = new TreeSet<>();
        List<WorkflowTriggers.Schedule> schedules = new ArrayList<>();
        for (JsonNode trigger : StoredJson.read(text)) {
            if (trigger.has("event")) {
                events.add(trigger.get("event").stringValue());
            } else {
                schedules.add(new WorkflowTriggers.Schedule(
                        trigger.get("id").stringValue(),
                        trigger.path("schedule").asString(""),
                        zone(trigger.path("timezone").asString("")),
                        missed(trigger.path("missed").asString(""))));
            }
        }
        return new WorkflowTriggers(events, schedules);
    }

    private static MissedRuns missed(String word) {
        return word.isEmpty() ? MissedRuns.ONCE : MissedRuns.valueOf(word.toUpperCase(Locale.ROOT));
    }

    /** Reads a time zone. One that this Java does not know any more counts as UTC. */
    private static ZoneId zone(String name) {
        try {
            return name.isEmpty() ? ZoneOffset.UTC : ZoneId.of(name);
        } catch (DateTimeException e) {
            return ZoneOffset.UTC;
        }
    }
}
