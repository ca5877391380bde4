package dev.weir.forecast;

import dev.weir.core.naming.NearestName;
import dev.weir.core.reading.DataReader;
import dev.weir.core.reading.ReadResult;
import dev.weir.core.reading.WorkflowReader;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * A change of one value of a definition.
 *
 * @param path a dotted path, such as {@code steps.label.concurrency}; an entry of a list is named by its index, id
 *     or key
 */
public record DefinitionChange(String path, String value) {
    private static final JsonNode SCHEMA = JsonMapper.shared().readTree(WorkflowReader.schema());

    /** A path or value that a person has mistyped. */
    public static final class InvalidChange extends IllegalArgumentException {
        private static final long serialVersionUID = 1L;

        InvalidChange(String message) {
            super(message);
        }
    }

    public static DefinitionChange parse(String text) {
        int equals = text.indexOf('=');
        if (equals < 1) {
            throw new InvalidChange("expected path=value, such as max_concurrent_steps=5, found '" + text + "'");
        }
        return new DefinitionChange(
                text.substring(0, equals).strip(), text.substring(equals + 1).strip());
    }

    /**
     * Parses a comparison: {@code path=1,2,3} gives three variants, {@code a=1,b=2} gives one variant with two
     * changes, and both together give every combination.
     */
    public static List<List<DefinitionChange>> variants(String text) {
        List<List<DefinitionChange>> choices = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            if (part.contains("=") || choices.isEmpty()) {
                choices.add(new ArrayList<>(List.of(parse(part))));
            } else {
                String path = choices.getLast().getFirst().path;
                choices.getLast().add(new DefinitionChange(path, part.strip()));
            }
        }
        List<List<DefinitionChange>> variants = List.of(List.of());
        for (List<DefinitionChange> choice : choices) {
            List<List<DefinitionChange>> extended = new ArrayList<>();
            for (List<DefinitionChange> variant : variants) {
                for (DefinitionChange next : choice) {
                    var combination = new ArrayList<>(variant);
                    combination.add(next);
                    extended.add(combination);
                }
            }
            variants = extended;
        }
        return variants;
    }

    /** Changes a definition that {@code Workflow.toJson} has written. */
    public void apply(ObjectNode definition) {
        JsonNode node = definition;
        JsonNode schema = SCHEMA;
        String[] names = path.split("\\.", -1);
        for (int i = 0; i < names.length - 1; i++) {
            if (node instanceof ArrayNode list) {
                int index = indexOf(list, names[i]);
                schema = items(schema);
                if (index < 0) {
                    node = list.get(0);
                    i--;
                } else {
                    node = list.get(index);
                }
            } else {
                schema = property(schema, names[i]);
                node = child((ObjectNode) node, names[i]);
            }
        }
        set(node, schema, names[names.length - 1]);
    }

    private void set(JsonNode found, JsonNode schema, String name) {
        JsonNode node = found;
        JsonNode rules = schema;
        if (node instanceof ArrayNode list && list.size() == 1) {
            node = list.get(0);
            rules = items(rules);
        }
        if (!(node instanceof ObjectNode object)) {
            throw new InvalidChange(path + ": expected a field after one of " + names(node) + ", found '" + name + "'");
        }
        property(rules, name);
        JsonNode newValue = readValue();
        if (newValue.isNull()) {
            object.remove(name);
            removeDependents(name, object, resolve(rules));
        } else {
            object.set(name, newValue);
        }
    }

    /** Removes the fields that require the removed one, such as the period of a rate. */
    private static void removeDependents(String name, ObjectNode object, JsonNode rules) {
        for (var dependency : rules.path("dependentRequired").properties()) {
            boolean needs = dependency.getValue().values().stream()
                    .anyMatch(needed -> needed.asString("").equals(name));
            if (needs) {
                object.remove(dependency.getKey());
            }
        }
    }

    private JsonNode readValue() {
        return switch (DataReader.read(value)) {
            case ReadResult.Accepted<DataReader> accepted -> accepted.value().root();
            case ReadResult.Refused<DataReader> ignored ->
                throw new InvalidChange(path + ": expected a value, found '" + value + "'");
        };
    }

    /** Returns the position of the entry with this index, id or key; -1 for the only entry, which need not be named. */
    private int indexOf(ArrayNode list, String name) {
        for (int i = 0; i < list.size(); i++) {
            JsonNode entry = list.get(i);
            boolean named = entry.path("id").asString("").equals(name)
                    || entry.path("key").asString("").equals(name);
            if (named || String.valueOf(i).equals(name)) {
                return i;
            }
        }
        if (list.size() == 1 && !list.get(0).has("id")) {
            return -1;
        }
        List<String> known = names(list);
        throw new InvalidChange(path + ": expected one of " + String.join(", ", known) + ", found '" + name + "'"
                + NearestName.hint(name, known));
    }

    private static List<String> names(JsonNode node) {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < node.size(); i++) {
            JsonNode entry = node.get(i);
            String index = String.valueOf(i);
            names.add(
                    entry.has("id")
                            ? entry.path("id").asString(index)
                            : entry.path("key").asString(index));
        }
        return names;
    }

    /** Returns the schema of a field, and refuses an unknown name. */
    private JsonNode property(JsonNode schema, String name) {
        JsonNode rules = resolve(schema);
        JsonNode properties = rules.path("properties");
        if (!properties.has(name) || isSynonym(properties.path(name))) {
            List<String> known = new ArrayList<>();
            for (var property : properties.properties()) {
                if (!isSynonym(property.getValue())) {
                    known.add(property.getKey());
                }
            }
            throw new InvalidChange(path + ": expected a field of the definition, found '" + name + "'"
                    + NearestName.hint(name, known));
        }
        return properties.path(name);
    }

    private static boolean isSynonym(JsonNode property) {
        return property.path("description").asString("").startsWith("The same as");
    }

    private static JsonNode items(JsonNode schema) {
        JsonNode rules = resolve(schema);
        return rules.has("items") ? rules.path("items") : rules.path("then").path("items");
    }

    private static JsonNode resolve(JsonNode schema) {
        JsonNode rules = schema;
        while (rules.has("$ref")) {
            rules = SCHEMA.at(
                    JsonPointer.compile(rules.path("$ref").asString("").substring(1)));
        }
        return rules.has("else") && !rules.has("properties") ? withFieldsOf(rules, rules.path("else")) : rules;
    }

    /**
     * Returns the schema of a field that may be one object or a list of objects, extended by the fields of the
     * object.
     */
    private static JsonNode withFieldsOf(JsonNode either, JsonNode object) {
        ObjectNode both = ((ObjectNode) either).deepCopy();
        both.set("properties", resolve(object).path("properties"));
        both.set("dependentRequired", resolve(object).path("dependentRequired"));
        return both;
    }

    private static JsonNode child(ObjectNode object, String name) {
        if (!object.has(name)) {
            object.set(name, JsonNodeFactory.instance.objectNode());
        }
        return object.get(name);
    }

    @Override
    public String toString() {
        return path + "=" + value;
    }
}
