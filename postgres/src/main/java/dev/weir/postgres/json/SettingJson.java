package dev.weir.postgres.json;

import dev.weir.core.admission.RunOverrides;
import dev.weir.core.limit.Moment;
import dev.weir.core.limit.OperatorSetting;
import dev.weir.core.limit.Pin;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * JSON of the values that operators set. A lasting value is stored under the name of its field. A temporary value and
 * its end are a list, stored under that name with the suffix {@code _for}.
 */
public final class SettingJson {
    private static final String TEMPORARY_SUFFIX = "_for";

    private SettingJson() {}

    public static String pin(Pin pin) {
        ObjectNode json = StoredJson.NODES.objectNode();
        put(json, "parallelism", pin.parallelism(), StoredJson.NODES::numberNode);
        put(json, "rate", pin.rate(), LimitJson::rate);
        return StoredJson.text(json);
    }

    public static Pin readPin(String text) {
        JsonNode json = StoredJson.read(text);
        return new Pin(read(json, "parallelism", JsonNode::intValue), read(json, "rate", LimitJson::readRate));
    }

    public static @Nullable String overrides(@Nullable RunOverrides overrides) {
        if (overrides == null) {
            return null;
        }
        ObjectNode json = StoredJson.NODES.objectNode();
        put(json, "max_steps", overrides.maxSteps(), StoredJson.NODES::numberNode);
        put(json, "max_slots", overrides.maxSlots(), StoredJson.NODES::numberNode);
        return StoredJson.text(json);
    }

    public static @Nullable RunOverrides readOverrides(@Nullable String text) {
        if (text == null) {
            return null;
        }
        JsonNode json = StoredJson.read(text);
        return new RunOverrides(
                read(json, "max_steps", JsonNode::intValue), read(json, "max_slots", JsonNode::intValue));
    }

    private static <T> void put(
            ObjectNode json, String field, OperatorSetting<T> setting, Function<T, JsonNode> writer) {
        T lasting = setting.lasting();
        T temporary = setting.temporary();
        if (lasting != null) {
            json.set(field, writer.apply(lasting));
        }
        if (temporary != null) {
            json.putArray(field + TEMPORARY_SUFFIX).add(writer.apply(temporary)).add(setting.until());
        }
    }

    private static <T> OperatorSetting<T> read(JsonNode json, String field, Function<JsonNode, T> reader) {
        JsonNode lasting = json.get(field);
        JsonNode temporary = json.get(field + TEMPORARY_SUFFIX);
        return new OperatorSetting<>(
                lasting == null ? null : reader.apply(lasting),
                temporary == null ? null : reader.apply(temporary.get(0)),
                temporary == null ? Moment.NEVER : temporary.get(1).longValue());
    }
}
