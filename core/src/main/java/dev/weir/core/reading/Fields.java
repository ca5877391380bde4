package dev.weir.core.reading;

import dev.weir.core.definition.Durations;
import dev.weir.core.definition.InvalidDefinition;
import dev.weir.core.definition.Schema;
import dev.weir.core.expression.InvalidExpression;
import dev.weir.core.expression.Template;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/**
 * The fields of one object. A field of a wrong kind counts as absent here, because the schema has already said so; what
 * only a value can show (an expression, a duration out of bounds) is added to the problems.
 */
final class Fields {
    private static final Pattern MILLISECONDS = Pattern.compile("[0-9][0-9_]{0,20}");

    private final JsonNode node;
    private final String path;
    private final Problems problems;

    Fields(JsonNode node, String path, Problems problems) {
        this.node = node;
        this.path = path;
        this.problems = problems;
    }

    String path() {
        return path;
    }

    Problems problems() {
        return problems;
    }

    /** The value of a field under any of its names; two of them at once are refused. */
    @Nullable
    JsonNode find(String field) {
        JsonNode found = null;
        for (String name : Synonyms.of(field)) {
            JsonNode value = node.get(name);
            if (value != null && found != null) {
                problems.addName(path + "/" + name, "expected only one of " + String.join(", ", Synonyms.of(field)));
            } else if (value != null) {
                found = value;
            }
        }
        return found;
    }

    boolean has(String field) {
        return Synonyms.of(field).stream().anyMatch(node::has);
    }

    /** Where a field stands, by the name under which it was written. */
    String pathOf(String field) {
        for (String name : Synonyms.of(field)) {
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
    Integer whole(String field) {
        JsonNode value = find(field);
        if (value == null || !value.isNumber()) {
            return null;
        }
        if (!value.isIntegralNumber()) {
            problems.add(pathOf(field), "expected a whole number, found " + Found.words(value));
            return null;
        }
        return value.canConvertToInt() ? value.intValue() : null;
    }

    int whole(String field, int usual) {
        Integer value = whole(field);
        return value == null ? usual : value;
    }

    double number(String field, double usual) {
        JsonNode value = find(field);
        return value != null && value.isNumber() ? value.doubleValue() : usual;
    }

    @Nullable
    Boolean truth(String field) {
        JsonNode value = find(field);
        return (value != null && value.isBoolean()) ? (Boolean) value.booleanValue() : null;
    }

    @Nullable
    Duration duration(String field) {
        String text = text(field);
        Duration duration = text == null ? null : Durations.parse(text).orElse(null);
        if (text != null && duration == null) {
            problems.add(pathOf(field), "expected " + Durations.EXPECTED + ", found '" + text + "'");
        }
        return duration;
    }

    Duration duration(String field, Duration usual) {
        Duration value = duration(field);
        return value == null ? usual : value;
    }

    /** A duration in which a bare number is milliseconds. */
    @Nullable
    Duration period(String field) {
        JsonNode value = find(field);
        if (value == null) {
            return null;
        }
        String digits = value.isString() ? value.stringValue() : value.toString();
        if (value.isIntegralNumber()
                || (value.isString() && MILLISECONDS.matcher(digits).matches())) {
            String plain = digits.replace("_", "");
            return plain.length() <= 15 ? Duration.ofMillis(Long.parseLong(plain)) : Duration.ofDays(10_000);
        }
        return duration(field);
    }

    @Nullable
    Template template(String field) {
        JsonNode value = find(field);
        if (value == null) {
            return null;
        }
        try {
            return Template.of(value);
        } catch (InvalidExpression e) {
            JsonNode leaf = value.at(JsonPointer.compile(e.path()));
            problems.add(pathOf(field) + e.path(), leaf.isString() ? leaf.stringValue() : "", e);
            return null;
        }
    }

    Template template(String field, Template usual) {
        Template value = template(field);
        return value == null ? usual : value;
    }

    @Nullable
    Schema schema(String field) {
        JsonNode value = find(field);
        if (value == null || !(value.isObject() || value.isBoolean())) {
            return null;
        }
        try {
            return Schema.of(value);
        } catch (InvalidDefinition e) {
            problems.add(pathOf(field), e);
            return null;
        }
    }

    <E extends Enum<E>> E choice(String field, E usual) {
        String text = text(field);
        for (E value : usual.getDeclaringClass().getEnumConstants()) {
            if (text != null && value.name().toLowerCase(Locale.ROOT).equals(text.toLowerCase(Locale.ROOT))) {
                return value;
            }
        }
        return usual;
    }

    @Nullable
    Fields object(String field) {
        JsonNode value = find(field);
        return value != null && value.isObject() ? new Fields(value, pathOf(field), problems) : null;
    }

    /** The objects of a list; one object alone is a list of one. */
    List<Fields> objects(String field) {
        JsonNode value = find(field);
        return value == null ? List.of() : new Fields(value, pathOf(field), problems).objects();
    }

    /** The same of these fields themselves. */
    List<Fields> objects() {
        if (!node.isArray()) {
            return node.isObject() ? List.of(this) : List.of();
        }
        List<Fields> list = new ArrayList<>();
        for (int i = 0; i < node.size(); i++) {
            if (node.get(i).isObject()) {
                list.add(new Fields(node.get(i), path + "/" + i, problems));
            }
        }
        return list;
    }

    /** The texts of a list; one text alone is a list of one. */
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

    /** What the maker makes of these fields, or nothing if it refuses them. */
    <T> @Nullable T make(Supplier<T> maker) {
        try {
            return maker.get();
        } catch (InvalidDefinition e) {
            problems.add(path, e);
            return null;
        }
    }

    <T> T make(T usual, Supplier<T> maker) {
        T made = make(maker);
        return made == null ? usual : made;
    }
}
