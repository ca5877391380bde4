package dev.weir.api;

import dev.weir.api.Starts.StartRunRequest;
import dev.weir.api.Work.ClaimRequest;
import dev.weir.api.Work.ConcurrencyProfile;
import dev.weir.api.Work.Heartbeat;
import dev.weir.api.Work.ModuleInfo;
import dev.weir.api.Work.ModuleStatusUpdate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Reads the requests that a busy server receives most often, field by field and without reflection. A reader returns
 * null for anything unusual, such as an unknown field or a value of the wrong type. The caller then reads the request
 * with {@link WireJson#STRICT}, which accepts it or says exactly what is wrong and where.
 */
public final class PlainReader {
    private static final Map<Class<?>, Function<JsonNode, ?>> READERS = Map.of(
            StartRunRequest.class, PlainReader::start,
            ClaimRequest.class, PlainReader::claim,
            ModuleStatusUpdate.class, PlainReader::update,
            Heartbeat.class, PlainReader::heartbeat);

    private PlainReader() {}

    /** Returns true if there is a reader for this type. */
    public static boolean reads(Class<?> type) {
        return READERS.containsKey(type);
    }

    /** Reads a value; null if it must be read with {@link WireJson#STRICT}. */
    public static <T> @Nullable T read(JsonNode sent, Class<T> type) {
        Function<JsonNode, ?> reader = READERS.get(type);
        if (reader == null || !sent.isObject()) {
            return null;
        }
        try {
            return type.cast(reader.apply(sent));
        } catch (Unusual | InvalidValue e) {
            return null;
        }
    }

    /** A value that these readers leave to the general one. */
    private static final class Unusual extends RuntimeException {
        private static final long serialVersionUID = 1;

        Unusual() {
            super("read it with the general reader", null, false, false);
        }
    }

    private static StartRunRequest start(JsonNode sent) {
        String workflow = null;
        String id = null;
        JsonNode input = null;
        Integer priority = null;
        JsonNode flowControl = null;
        Map<String, String> labels = null;
        String delay = null;
        List<String> targets = null;
        String correlationId = null;
        for (Map.Entry<String, JsonNode> field : sent.properties()) {
            JsonNode value = field.getValue();
            switch (field.getKey()) {
                case "correlation_id" -> correlationId = text(value);
                case "workflow" -> workflow = text(value);
                case "id" -> id = text(value);
                case "input" -> input = value;
                case "priority" -> priority = wholeNumber(value);
                case "flow_control" -> flowControl = value;
                case "labels" -> labels = labels(value);
                case "delay" -> delay = text(value);
                case "targets" -> targets = texts(value);
                default -> throw new Unusual();
            }
        }
        return new StartRunRequest(
                required(workflow), id, input, priority, flowControl, labels, delay, targets, correlationId);
    }

    private static ClaimRequest claim(JsonNode sent) {
        List<ModuleInfo> modules = null;
        String run = null;
        List<String> steps = null;
        Integer limit = null;
        String wait = null;
        String lease = null;
        String requestId = null;
        String worker = null;
        for (Map.Entry<String, JsonNode> field : sent.properties()) {
            JsonNode value = field.getValue();
            switch (field.getKey()) {
                case "modules" -> modules = list(value, PlainReader::module);
                case "run" -> run = text(value);
                case "steps" -> steps = texts(value);
                case "limit" -> limit = wholeNumber(value);
                case "wait" -> wait = text(value);
                case "lease" -> lease = text(value);
                case "request_id" -> requestId = text(value);
                case "worker" -> worker = text(value);
                default -> throw new Unusual();
            }
        }
        return new ClaimRequest(modules, run, steps, limit, wait, lease, requestId, worker);
    }

    private static ModuleInfo module(JsonNode sent) {
        if (sent.isString()) {
            return ModuleInfo.of(sent.stringValue());
        }
        String id = null;
        String name = null;
        String version = null;
        ConcurrencyProfile concurrency = null;
        for (Map.Entry<String, JsonNode> field : object(sent).properties()) {
            JsonNode value = field.getValue();
            switch (field.getKey()) {
                case "id" -> id = text(value);
                case "name" -> name = text(value);
                case "version" -> version = text(value);
                case "concurrency" -> concurrency = profile(value);
                default -> throw new Unusual();
            }
        }
        return new ModuleInfo(required(id), name, version, concurrency);
    }

    private static @Nullable ConcurrencyProfile profile(JsonNode sent) {
        if (sent.isNull()) {
            return null;
        }
        Integer slots = null;
        Boolean exclusive = null;
        for (Map.Entry<String, JsonNode> field : object(sent).properties()) {
            switch (field.getKey()) {
                case "slots" -> slots = wholeNumber(field.getValue());
                case "exclusive" -> exclusive = flag(field.getValue());
                default -> throw new Unusual();
            }
        }
        return new ConcurrencyProfile(slots, exclusive);
    }

    private static ModuleStatusUpdate update(JsonNode sent) {
        String run = null;
        String step = null;
        Integer item = null;
        Long fence = null;
        String result = null;
        JsonNode output = null;
        String error = null;
        Boolean permanent = null;
        String delay = null;
        for (Map.Entry<String, JsonNode> field : sent.properties()) {
            JsonNode value = field.getValue();
            switch (field.getKey()) {
                case "run" -> run = text(value);
                case "step" -> step = text(value);
                case "item" -> item = wholeNumber(value);
                case "fence" -> fence = longNumber(value);
                case "result" -> result = text(value);
                case "output" -> output = value;
                case "error" -> error = text(value);
                case "permanent" -> permanent = flag(value);
                case "delay" -> delay = text(value);
                default -> throw new Unusual();
            }
        }
        return new ModuleStatusUpdate(
                required(run),
                required(step),
                item,
                required(fence),
                required(result),
                output,
                error,
                permanent,
                delay);
    }

    private static Heartbeat heartbeat(JsonNode sent) {
        String run = null;
        String step = null;
        Integer item = null;
        Long fence = null;
        for (Map.Entry<String, JsonNode> field : sent.properties()) {
            JsonNode value = field.getValue();
            switch (field.getKey()) {
                case "run" -> run = text(value);
                case "step" -> step = text(value);
                case "item" -> item = wholeNumber(value);
                case "fence" -> fence = longNumber(value);
                default -> throw new Unusual();
            }
        }
        return new Heartbeat(required(run), required(step), item, required(fence));
    }

    private static <T> T required(@Nullable T value) {
        if (value == null) {
            throw new Unusual();
        }
        return value;
    }

    private static JsonNode object(JsonNode value) {
        if (!value.isObject()) {
            throw new Unusual();
        }
        return value;
    }

    private static @Nullable String text(JsonNode value) {
        if (value.isString()) {
            return value.stringValue();
        }
        requireNull(value);
        return null;
    }

    private static @Nullable Integer wholeNumber(JsonNode value) {
        if (value.isIntegralNumber() && value.canConvertToInt()) {
            return value.intValue();
        }
        requireNull(value);
        return null;
    }

    private static @Nullable Long longNumber(JsonNode value) {
        if (value.isIntegralNumber() && value.canConvertToLong()) {
            return value.longValue();
        }
        requireNull(value);
        return null;
    }

    private static @Nullable Boolean flag(JsonNode value) {
        if (value.isBoolean()) {
            return value.booleanValue();
        }
        requireNull(value);
        return null;
    }

    /** Accepts a null, which is the same as no value. */
    private static void requireNull(JsonNode value) {
        if (!value.isNull()) {
            throw new Unusual();
        }
    }

    private static @Nullable List<String> texts(JsonNode value) {
        return list(value, element -> required(text(element)));
    }

    private static <T> @Nullable List<T> list(JsonNode value, Function<JsonNode, T> element) {
        if (!value.isArray()) {
            requireNull(value);
            return null;
        }
        List<T> list = new ArrayList<>(value.size());
        for (JsonNode each : value) {
            list.add(element.apply(each));
        }
        return list;
    }

    private static @Nullable Map<String, String> labels(JsonNode value) {
        if (!value.isObject()) {
            requireNull(value);
            return null;
        }
        Map<String, String> labels = new LinkedHashMap<>();
        for (Map.Entry<String, JsonNode> label : value.properties()) {
            labels.put(label.getKey(), required(text(label.getValue())));
        }
        return labels;
    }
}
