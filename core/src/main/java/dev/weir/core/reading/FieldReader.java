package dev.weir.core.reading;

import dev.weir.core.definition.DurationText;
import dev.weir.core.definition.InvalidDefinition;
import dev.weir.core.definition.JsonSchema;
import dev.weir.core.expression.InvalidExpression;
import dev.weir.core.expression.Template;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/**
 * Reads the fields of one object. A field of a wrong type counts as absent, because the schema check has already
 * reported it. Problems that only a value can show (an expression, a duration out of bounds) are added to the list.
 */
final class FieldReader {
    /** Stands for a number of milliseconds that does not fit into a long. The bounds of a period refuse it. */
    private static final Duration EXCESSIVE_PERIOD = Duration.ofDays(10_000);

    private final JsonNode node;
    private final String path;
    private final ProblemList problems;

    FieldReader(JsonNode node, String path, ProblemList problems) {
        this.node = node;
        this.path = path;
        this.problems = problems;
    }

    String path() {
        return path;
    }

    ProblemList problems() {
        return problems;
    }

    /** Returns the value of a field under any of its names. Two names at once are reported as a problem. */
    @Nullable
    JsonNode find(String field) {
        JsonNode found = null;
        for (String name : FieldSynonyms.of(field)) {
            JsonNode value = node.get(name);
            if (value != null && found != null) {
                problems.addAtName(
                        path + "/" + name, "expected only one of " + String.join(", ", FieldSynonyms.of(field)));
            } else if (value != null) {
                found = value;
            }
        }
        return found;
    }

    boolean has(String field) {
        return FieldSynonyms.of(field).stream().anyMatch(node::has);
    }

    /** Returns the path of a field, with the name under which it was written. */
    String pathOf(String field) {
        for (String name : FieldSynonyms.of(field)) {
            if (node.has(name)) {
                return path + "/" + name;
            }
        }
        return path + "/" + field;
    }

    @Nullable
    String text(String field) {
        JsonNode value = find(field);
        return value != null && value.isString() ? value.stringValue() : null;
    }

    @Nullable
    Integer integer(String field) {
        JsonNode value = find(field);
        if (value == null || !value.isNumber()) {
            return null;
        }
        if (!value.isIntegralNumber()) {
            problems.add(pathOf(field), "expected a whole number, found " + FoundText.describe(value));
            return null;
        }
        return value.canConvertToInt() ? value.intValue() : null;
    }

    int integer(String field, int defaultValue) {
        Integer value = integer(field);
        return value == null ? defaultValue : value;
    }

    double number(String field, double defaultValue) {
        JsonNode value = find(field);
        return value != null && value.isNumber() ? value.doubleValue() : defaultValue;
    }

    @Nullable
    Boolean bool(String field) {
        JsonNode value = find(field);
        return (value != null && value.isBoolean()) ? (Boolean) value.booleanValue() : null;
    }

    @Nullable
    Duration duration(String field) {
        String text = text(field);
        Duration duration = text == null ? null : DurationText.parse(text).orElse(null);
        if (text != null && duration == null) {
            problems.add(pathOf(field), "expected " + DurationText.EXPECTED + ", found '" + text + "'");
        }
        return duration;
    }

    Duration duration(String field, Duration defaultValue) {
        Duration value = duration(field);
        return value == null ? defaultValue : value;
    }

    /** Reads a duration in which a plain number counts milliseconds. */
    @Nullable
    Duration period(String field) {
        JsonNode value = find(field);
        if (value != null && value.isIntegralNumber()) {
            return value.canConvertToLong() ? Duration.ofMillis(value.longValue()) : EXCESSIVE_PERIOD;
        }
        String text = text(field);
        Duration period = text == null ? null : DurationText.parsePeriod(text).orElse(null);
        if (text != null && period == null) {
            problems.add(pathOf(field), "expected " + DurationText.PERIOD_EXPECTED + ", found '" + text + "'");
        }
        return period;
    }

    @Nullable
    Template template(String field) {
        JsonNode value = find(field);
        if (value == null) {
            return null;
        }
        try {
            return problems.isStored() ? Template.fromStored(value) : Template.of(value);
        } catch (InvalidExpression e) {
            JsonNode leaf = value.at(JsonPointer.compile(e.path()));
            problems.add(pathOf(field) + e.path(), leaf.isString() ? leaf.stringValue() : "", e);
            return null;
        }
    }

    Template template(String field, Template defaultValue) {
        Template value = template(field);
        return value == null ? defaultValue : value;
    }

    @Nullable
    JsonSchema schema(String field) {
        JsonNode value = find(field);
        if (value == null || !(value.isObject() || value.isBoolean())) {
            return null;
        }
        try {
            return problems.isStored() ? JsonSchema.fromStored(value) : JsonSchema.of(value);
        } catch (InvalidDefinition e) {
            problems.add(pathOf(field), e);
            return null;
        }
    }

    <E extends Enum<E>> E choice(String field, E defaultValue) {
        String text = text(field);
        for (E value : defaultValue.getDeclaringClass().getEnumConstants()) {
            if (text != null && value.name().toLowerCase(Locale.ROOT).equals(text.toLowerCase(Locale.ROOT))) {
                return value;
            }
        }
        return defaultValue;
    }

    @Nullable
    FieldReader object(String field) {
        JsonNode value = find(field);
        return value != null && value.isObject() ? new FieldReader(value, pathOf(field), problems) : null;
    }

    /** Returns the objects of a list. A single object counts as a list of one. */
    List<FieldReader> objects(String field) {
        JsonNode value = find(field);
        return value == null ? List.of() : new FieldReader(value, pathOf(field), problems).objects();
    }

    /** Like {@link #objects(String)}, for this node itself. */
    List<FieldReader> objects() {
        if (!node.isArray()) {
            return node.isObject() ? List.of(this) : List.of();
        }
        List<FieldReader> list = new ArrayList<>();
        for (int i = 0; i < node.size(); i++) {
            if (node.get(i).isObject()) {
                list.add(new FieldReader(node.get(i), path + "/" + i, problems));
            }
        }
        return list;
    }

    /** Returns the texts of a list. A single text counts as a list of one. */
    List<String> texts(String field) {
        JsonNode value = find(field);
        List<String> list = new ArrayList<>();
        if (value instanceof ArrayNode array) {
            array.forEach(element -> list.add(element.asString("")));
        } else if (value != null && value.isString()) {
            list.add(value.stringValue());
        }
        return list;
    }

    /** Returns the result of the maker, or null if it refuses these fields. The problems are then added to the list. */
    <T> @Nullable T buildOrReport(Supplier<T> builder) {
        try {
            return builder.get();
        } catch (InvalidDefinition e) {
            problems.add(path, e);
            return null;
        }
    }

    <T> T buildOrReport(T defaultValue, Supplier<T> builder) {
        T built = buildOrReport(builder);
        return built == null ? defaultValue : built;
    }
}
