package dev.weir.postgres.json;

import dev.weir.core.definition.FlowControl;
import dev.weir.core.definition.RateLimit;
import dev.weir.core.expression.Template;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** JSON of the keys that a start request contains. */
final class FlowControlJson {
    private FlowControlJson() {}

    static ArrayNode json(List<FlowControl> controls) {
        ArrayNode array = StoredJson.NODES.arrayNode();
        for (FlowControl control : controls) {
            ObjectNode json = array.addObject();
            json.set("key", control.key().source());
            if (control.parallelism() != null) {
                json.put("parallelism", control.parallelism());
            }
            if (control.rate() != null) {
                json.put("rate", control.rate().count())
                        .put("period", control.rate().period().toString())
                        .put("window", control.rate().window().name().toLowerCase(Locale.ROOT));
            }
            json.put("weight", control.weight()).put("cost", control.cost());
        }
        return array;
    }

    static @Nullable List<FlowControl> read(@Nullable JsonNode array) {
        if (array == null) {
            return null;
        }
        List<FlowControl> controls = new ArrayList<>();
        for (JsonNode json : array) {
            controls.add(new FlowControl(
                    Template.fromStored(json.get("key")),
                    json.has("parallelism") ? json.get("parallelism").intValue() : null,
                    json.has("rate") ? rate(json) : null,
                    json.get("weight").intValue(),
                    json.get("cost").intValue()));
        }
        return controls;
    }

    private static RateLimit rate(JsonNode json) {
        String window = json.get("window").stringValue().toUpperCase(Locale.ROOT);
        Duration period = Duration.parse(json.get("period").stringValue());
        return new RateLimit(json.get("rate").intValue(), period, RateLimit.Window.valueOf(window));
    }
}
