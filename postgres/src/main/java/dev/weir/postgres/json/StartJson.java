package dev.weir.postgres.json;

import dev.weir.engine.StartRequest;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A start as it lies in the inbox. */
public final class StartJson {
    private StartJson() {}

    public static String text(StartRequest request) {
        ObjectNode json = Json.NODES.objectNode().put("run", request.run()).put("workflow", request.workflow());
        json.set("input", request.input());
        if (request.priority() != null) {
            json.put("priority", request.priority());
        }
        if (request.flowControl() != null) {
            json.set("flow_control", FlowControls.json(request.flowControl()));
        }
        if (!request.labels().isEmpty()) {
            ObjectNode labels = json.putObject("labels");
            request.labels().forEach(labels::put);
        }
        return Json.text(json);
    }

    public static StartRequest read(String text) {
        JsonNode json = Json.read(text);
        Map<String, String> labels = new TreeMap<>();
        json.path("labels")
                .properties()
                .forEach(label -> labels.put(label.getKey(), label.getValue().stringValue()));
        return new StartRequest(
                json.get("run").stringValue(),
                json.get("workflow").stringValue(),
                json.get("input"),
                json.has("priority") ? json.get("priority").intValue() : null,
                FlowControls.read(json.get("flow_control")),
                new TreeMap<>(labels));
    }
}
