package dev.weir.core.definition;

import dev.weir.core.json.Keepable;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * What is kept of a workflow: its JSON, in which every alias is written out and every text has quotes. It may be much
 * larger than the text it was read from, and one that was built in Java has no such text; so it is measured itself.
 */
public final class KeptForm {
    private static final String EXPRESSION = "${{";
    private static final String AS_JSON = " in the definition as JSON, which is how it is kept";

    private int values;
    private int levels;
    private int nameChars;
    private int expressions;

    private KeptForm() {}

    /** Throws {@link InvalidDefinition} if a workflow is more than can be kept. */
    public static void check(Workflow workflow) {
        JsonNode json = workflow.toJson();
        var form = new KeptForm();
        form.measure(json, 1);
        List<Problem> problems = new ArrayList<>();
        if (form.levels > Bounds.DEFINITION_LEVELS_MAX) {
            // What is so deep is not written, or looked into any further.
            throw new InvalidDefinition(List.of(most(Bounds.DEFINITION_LEVELS_MAX, "levels", "more")));
        }
        int bytes = json.toString().getBytes(StandardCharsets.UTF_8).length;
        if (bytes > Bounds.DEFINITION_BYTES_MAX) {
            problems.add(most(Bounds.DEFINITION_BYTES_MAX, "bytes", String.valueOf(bytes)));
        }
        if (form.values > Bounds.DEFINITION_VALUES_MAX) {
            problems.add(most(Bounds.DEFINITION_VALUES_MAX, "values", String.valueOf(form.values)));
        }
        if (form.nameChars > Bounds.DEFINITION_NAME_CHARS_MAX) {
            problems.add(
                    most(Bounds.DEFINITION_NAME_CHARS_MAX, "characters in a name", String.valueOf(form.nameChars)));
        }
        if (form.expressions > Bounds.EXPRESSIONS_MAX) {
            problems.add(most(Bounds.EXPRESSIONS_MAX, "expressions", String.valueOf(form.expressions)));
        }
        String misfit = Keepable.misfit(json);
        if (misfit != null) {
            problems.add(new Problem("", "text and numbers that can be kept", misfit));
        }
        if (!problems.isEmpty()) {
            throw new InvalidDefinition(problems);
        }
    }

    /** How many expressions there are in a value, in the names of its fields too. */
    public static int expressions(JsonNode value) {
        var form = new KeptForm();
        form.measure(value, 1);
        return form.expressions;
    }

    private static Problem most(int most, String of, String found) {
        return new Problem("", "at most " + most + " " + of + AS_JSON, found);
    }

    private void measure(JsonNode value, int level) {
        values++;
        levels = Math.max(levels, level);
        if (level > Bounds.DEFINITION_LEVELS_MAX) {
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
