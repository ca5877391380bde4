package dev.weir.postgres.json;

import dev.weir.core.definition.FlowControl;
import dev.weir.core.state.RunLineage;
import dev.weir.core.state.RunRequest;
import dev.weir.core.state.UnitId;
import dev.weir.engine.request.StartRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** JSON of start requests. */
public final class StartJson {
    /** The deepest nesting of objects and lists, as for HTTP requests. */
    private static final int DEPTH_MAX = 64;

    private static final JsonMapper STRICT = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(DEPTH_MAX)
                            .build())
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .build())
            .build();

    private StartJson() {}

    /** The fields that few starts have, combined in one column. The actor, which most have, is beside the input. */
    public record Start(@Nullable List<FlowControl> flowControl, RunRequest.Options options, RunLineage origin) {
        static final Start DEFAULT = new Start(null, RunRequest.Options.DEFAULT, RunLineage.NONE);
    }

    public static @Nullable String start(RunRequest request) {
        boolean isPlain = request.flowControl() == null
                && request.options().equals(RunRequest.Options.DEFAULT)
                && request.lineage().isPlain();
        return isPlain ? null : StoredJson.text(startJson(request));
    }

    private static ObjectNode startJson(RunRequest request) {
        ObjectNode json = StoredJson.NODES.objectNode();
        put(json, request.flowControl(), request.options());
        if (request.options().priority() != null) {
            json.put("priority", request.options().priority());
        }
        RunLineage origin = request.lineage();
        if (origin.retryOf() != null) {
            json.put("retry_of", origin.retryOf());
        }
        if (origin.parent() != null) {
            UnitId parent = origin.parent();
            json.putArray("parent").add(parent.run()).add(parent.step()).add(parent.item());
        }
        if (origin.root() != null) {
            json.put("root", origin.root());
        }
        if (origin.depth() != 0) {
            json.put("depth", origin.depth());
        }
        EventJson.putChain(json, origin.chain());
        return json;
    }

    private static void put(ObjectNode json, @Nullable List<FlowControl> flowControl, RunRequest.Options options) {
        if (flowControl != null) {
            json.set("flow_control", FlowControlJson.json(flowControl));
        }
        if (options.delay() != 0) {
            json.put("delay", options.delay());
        }
        if (!options.targets().isEmpty()) {
            ArrayNode targets = json.putArray("targets");
            options.targets().forEach(targets::add);
        }
    }

    public static Start readStart(@Nullable String text) {
        if (text == null) {
            return Start.DEFAULT;
        }
        JsonNode json = StoredJson.read(text);
        JsonNode parent = json.get("parent");
        var origin = new RunLineage(
                json.has("retry_of") ? json.get("retry_of").stringValue() : null,
                parent == null ? null : parent(parent),
                json.has("root") ? json.get("root").stringValue() : null,
                json.path("depth").asInt(0),
                null,
                EventJson.readChain(json));
        Integer priority = json.has("priority") ? json.get("priority").intValue() : null;
        return new Start(
                FlowControlJson.read(json.get("flow_control")), options(json).withPriority(priority), origin);
    }

    private static UnitId parent(JsonNode json) {
        return new UnitId(
                json.get(0).stringValue(),
                json.get(1).stringValue(),
                json.get(2).intValue());
    }

    private static RunRequest.Options options(JsonNode json) {
        List<String> targets = new ArrayList<>();
        json.path("targets").forEach(target -> targets.add(target.stringValue()));
        long delay = json.path("delay").asLong(0);
        return delay == 0 && targets.isEmpty() ? RunRequest.Options.DEFAULT : new RunRequest.Options(delay, targets);
    }

    /** Returns a start in the form used in the inbox. */
    public static String text(StartRequest request) {
        ObjectNode json =
                StoredJson.NODES.objectNode().put("run", request.run()).put("workflow", request.workflow());
        json.set("input", request.input());
        if (request.priority() != null) {
            json.put("priority", request.priority());
        }
        put(json, request.flowControl(), request.options());
        if (!request.labels().isEmpty()) {
            ObjectNode labels = json.putObject("labels");
            request.labels().forEach(labels::put);
        }
        return StoredJson.text(json);
    }

    /** Reads a start that a program left in the inbox. It is read as strictly as a request. */
    public static StartRequest read(String text) {
        JsonNode json = STRICT.readTree(text);
        Map<String, String> labels = new TreeMap<>();
        requireIfPresent(json, "labels", JsonNode::isObject);
        requireIfPresent(json, "flow_control", JsonNode::isArray);
        requireIfPresent(json, "targets", JsonNode::isArray);
        requireIfPresent(json, "delay", JsonNode::isIntegralNumber);
        json.path("labels")
                .properties()
                .forEach(label -> labels.put(label.getKey(), label.getValue().stringValue()));
        return new StartRequest(
                required(json, "run").stringValue(),
                required(json, "workflow").stringValue(),
                required(json, "input"),
                json.has("priority") ? json.get("priority").intValue() : null,
                FlowControlJson.read(json.get("flow_control")),
                new TreeMap<>(labels),
                options(json));
    }

    private static void requireIfPresent(JsonNode json, String field, Predicate<JsonNode> fits) {
        JsonNode value = json.get(field);
        if (value != null && !fits.test(value)) {
            throw new IllegalArgumentException("expected the stored format of " + field + ", found " + value);
        }
    }

    private static JsonNode required(JsonNode json, String field) {
        JsonNode value = json.get(field);
        if (value == null) {
            throw new IllegalArgumentException("expected the field " + field + ", found none");
        }
        return value;
    }
}
