package dev.weir.core.definition;

import dev.weir.core.json.StorableJson;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * Measures the stored form of a workflow: its JSON, with all aliases expanded and all texts quoted. It may be much
 * larger than the source text, and a workflow built in Java has no source text, so the JSON itself has bounds.
 */
public final class StoredDefinitionSize {
    private static final String EXPRESSION_START = "${{";
    private static final String AS_JSON = " in the definition as JSON, which is how Weir stores it";

    private int values;
    private int levels;
    private int nameChars;
    private int expressions;

    private StoredDefinitionSize() {}

    /** Throws {@link InvalidDefinition} if a workflow is too large to store. */
    public static void check(Workflow workflow) {
        JsonNode json = workflow.toJson();
        var size = new StoredDefinitionSize();
        size.measure(json, 1);
        List<DefinitionProblem> problems = new ArrayList<>();
        if (size.levels > DefinitionBounds.DEFINITION_LEVELS_MAX) {
            // A definition this deep is neither serialised nor examined further.
            throw new InvalidDefinition(List.of(tooMany(DefinitionBounds.DEFINITION_LEVELS_MAX, "levels", "more")));
        }
        int bytes = json.toString().getBytes(StandardCharsets.UTF_8).length;
        if (bytes > DefinitionBounds.DEFINITION_BYTES_MAX) {
            problems.add(tooMany(DefinitionBounds.DEFINITION_BYTES_MAX, "bytes", String.valueOf(bytes)));
        }
        if (size.values > DefinitionBounds.DEFINITION_VALUES_MAX) {
            problems.add(tooMany(DefinitionBounds.DEFINITION_VALUES_MAX, "values", String.valueOf(size.values)));
        }
        if (size.nameChars > DefinitionBounds.DEFINITION_NAME_CHARS_MAX) {
            problems.add(tooMany(
                    DefinitionBounds.DEFINITION_NAME_CHARS_MAX,
                    "characters in a name",
                    String.valueOf(size.nameChars)));
        }
        if (size.expressions > DefinitionBounds.EXPRESSIONS_MAX) {
            problems.add(tooMany(DefinitionBounds.EXPRESSIONS_MAX, "expressions", String.valueOf(size.expressions)));
        }
        String problem = StorableJson.findProblem(json);
        if (problem != null) {
            problems.add(new DefinitionProblem("", "text and numbers that Weir can store", problem));
        }
        if (!problems.isEmpty()) {
            throw new InvalidDefinition(problems);
        }
    }

    /** Returns the number of expressions in a value, including those in field names. */
    public static int countExpressions(JsonNode value) {
        var size = new StoredDefinitionSize();
        size.measure(value, 1);
        return size.expressions;
    }

    private static DefinitionProblem tooMany(int max, String unit, String found) {
        return new DefinitionProblem("", "at most " + max + " " + unit + AS_JSON, found);
    }

    private void measure(JsonNode value, int level) {
        values++;
        levels = Math.max(levels, level);
        if (level > DefinitionBounds.DEFINITION_LEVELS_MAX) {
            return;
        }
        if (value.isString()) {
            addExpressionsOf(value.stringValue());
        }
        if (value.isObject()) {
            for (String name : value.propertyNames()) {
                nameChars = Math.max(nameChars, name.length());
                addExpressionsOf(name);
            }
        }
        for (JsonNode child : value) {
            measure(child, level + 1);
        }
    }

    private void addExpressionsOf(String text) {
        for (int at = text.indexOf(EXPRESSION_START);
                at >= 0;
                at = text.indexOf(EXPRESSION_START, at + EXPRESSION_START.length())) {
            expressions++;
        }
    }
}
