package dev.weir.core.expression;

import dev.weir.core.naming.NearestName;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Explains an evaluation that failed because the data has no such name: where the name was looked up, and which names
 * exist there.
 */
final class MissingName {
    private static final int NAMES_MAX = 20;
    /** The names that can be copied in the time of one unit. */
    private static final int NAMES_PER_UNIT = 32;

    private static final Pattern MISSING = Pattern.compile("key '(.*)' is not present in map\\.?", Pattern.DOTALL);

    private MissingName() {}

    /** Explains CEL's message. Returns the message unchanged if it is about something else. */
    static String explain(String message, References references, Scope scope) {
        Matcher missing = MISSING.matcher(message);
        if (!missing.matches()) {
            return message;
        }
        String name = missing.group(1);
        for (List<String> path : references.paths()) {
            String found = explain(name, path, scope);
            if (found != null) {
                return found;
            }
        }
        return "expected the field '" + name + "' in an object, found an object without it; check for it with has(…)";
    }

    private static @Nullable String explain(String name, List<String> path, Scope scope) {
        JsonNode node = Variable.byCelName(path.getFirst()).map(scope::find).orElse(null);
        for (int i = 1; node != null && i < path.size(); i++) {
            if (node.isObject() && !node.has(path.get(i)) && path.get(i).equals(name)) {
                List<String> names = List.copyOf(node.propertyNames());
                scope.addUnits(NearestName.comparisons(name, names) + names.size() / NAMES_PER_UNIT);
                return explain(name, String.join(".", path.subList(0, i)), names);
            }
            node = node.get(path.get(i));
        }
        return null;
    }

    private static String explain(String name, String owner, List<String> names) {
        String there = names.isEmpty() ? "which has no fields" : "which has: " + listed(names);
        return "expected the field '" + name + "' in " + owner + ", " + there + NearestName.hint(name, names);
    }

    private static String listed(List<String> names) {
        List<String> first = new ArrayList<>(names.subList(0, Math.min(NAMES_MAX, names.size())));
        if (names.size() > NAMES_MAX) {
            first.add((names.size() - NAMES_MAX) + " more");
        }
        return String.join(", ", first);
    }
}
