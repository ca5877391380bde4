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
    private static final String EXPRESSION = "${{";
    private static final String AS_JSON = " in the definition as JSON, which is how Weir stores it";

    private int values;
    private int levels;
    private int nameChars;
    private int expressions;

    private StoredDefinitionSize() {}

    /** Throws {@link InvalidDefinition} if a workflow is too large to store. */
    public static void check(Workflow workflow) {
        JsonNode json = workflow.toJson();
        var form = new StoredDefinitionSize();
        form.measure(json, 1);
        List<DefinitionProblem> problems = new ArrayList<>();
        if (form.levels > DefinitionBounds.DEFINITION_LEVELS_MAX) {
            // A definition this deep is neither serialised nor examined further.
            throw new InvalidDefinition(List.of(most(DefinitionBounds.DEFINITION_LEVELS_MAX, "levels", "more")));
        }
        int bytes = json.toString().getBytes(StandardCharsets.UTF_8).length;
        if (bytes > DefinitionBounds.DEFINITION_BYTES_MAX) {
            problems.add(most(DefinitionBounds.DEFINITION_BYTES_MAX, "bytes", String.valueOf(bytes)));
        }
        if (form.values > DefinitionBounds.DEFINITION_VALUES_MAX) {
            problems.add(most(DefinitionBounds.DEFINITION_VALUES_MAX, "values", String.valueOf(form.values)));
        }
        if (form.nameChars > DefinitionBounds.DEFINITION_NAME_CHARS_MAX) {
            problems.add(most(
                    DefinitionBounds.DEFINITION_NAME_CHARS_MAX,
                    "characters in a name",
                    String.valueOf(form.nameChars)));
        }
        if (form.expressions > DefinitionBounds.EXPRESSIONS_MAX) {
            problems.add(most(DefinitionBounds.EXPRESSIONS_MAX, "expressions", String.valueOf(form.expressions)));
        }
        String misfit = StorableJson.misfit(json);
        if (misfit != null) {
            problems.add(new DefinitionProblem("", "text and numbers that Weir can store", misfit));
        }
        if (!problems.isEmpty()) {
            throw new InvalidDefinition(problems);
        }
    }

    /** Returns the number of expressions in a value, including those in field names. */
    public static int expressions(JsonNode value) {
        var form = new StoredDefinitionSize();
        form.measure(value, 1);
        return form.expressions;
    }

    private static DefinitionProblem most(int most, String of, String found) {
        return new DefinitionProblem("", "at most " + most + " " + of + AS_JSON, found);
    }

    private void measure(JsonNode value, int level) {
        values++;
        levels = Math.max(levels, level);
        if (level > DefinitionBounds.DEFINITION_LEVELS_MAX) {
            return;
        }
        if (value.isString()) {
            count(value.stringValue());
        }
        if (value.isObject()) {
            for (String name : value.propertyNames()) {
                nameChars = Math.max(nameChars, name.length());
                count(name);
            }
        }
        for (JsonNode child : value) {
            measure(child, level + 1);
        }
    }

    private void count(String text) {
        for (int at = text.indexOf(EXPRESSION); at >= 0; at = text.indexOf(EXPRESSION, at + EXPRESSION.length())) {
            expressions++;
        }
    }
}
