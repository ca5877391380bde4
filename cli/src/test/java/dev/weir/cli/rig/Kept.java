package dev.weir.cli.rig;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The rows of an organisation by table, without the values that may differ between two organisations that got the
 * same requests. These are times and waiting times, the numbers of the organisation and of rows that all
 * organisations share, and the form in which a step is written, which depends on what else its transaction wrote.
 *
 * @param all the rows with all values
 */
record Kept(SortedMap<String, List<JsonNode>> rows, String all) {
    private static final Pattern JSON = Pattern.compile("<json>(.*?)</json>", Pattern.DOTALL);
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    /** The lower bound of numbers that are times in microseconds: the year 2020. The upper one is the year 2100. */
    private static final long TIME_MIN = 1_577_836_800_000_000L;

    private static final long TIME_MAX = 4_102_444_800_000_000L;

    private static final Set<String> SHARED_NUMBERS = Set.of("org", "seq", "ended_seq", "position");
    /** The two columns that hold steps written together with their run, and the columns that say where rows are. */
    private static final Set<String> FORMS = Set.of("initial_steps", "final_steps", "is_initial", "stored_in");

    /** The column of claims that holds waiting times. The other constant is the field of a step that does. */
    private static final String WAITS = "starts_and_waits";

    private static final String SPENT = "spent";

    /** The kinds of events that set a value. The log repeats such an event although the value stays the same. */
    private static final Set<String> SET = Set.of("extended", "pinned", "unpinned", "paused", "resumed", "reset");

    static Kept of(Map<String, String> tables) {
        SortedMap<String, List<JsonNode>> rows = new TreeMap<>();
        tables.forEach((table, xml) -> {
            List<JsonNode> found = rows(xml);
            if (!found.isEmpty()) {
                rows.put(table, found);
            }
        });
        return new Kept(rows, tables.toString());
    }

    private static List<JsonNode> rows(String xml) {
        List<JsonNode> rows = new ArrayList<>();
        Set<JsonNode> set = new HashSet<>();
        var found = JSON.matcher(xml);
        while (found.find()) {
            String text =
                    found.group(1).replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
            JsonNode row = JsonMapper.shared().readTree(text);
            if (row instanceof ObjectNode columns) {
                columns.remove(SHARED_NUMBERS);
                columns.remove(FORMS);
                columns.remove(WAITS);
            }
            row = without(row);
            if (!SET.contains(row.path("kind").asString("")) || set.add(row)) {
                rows.add(row);
            }
        }
        rows.sort((one, other) -> one.toString().compareTo(other.toString()));
        return rows;
    }

    private static JsonNode without(JsonNode node) {
        if (node instanceof ObjectNode object) {
            ObjectNode kept = NODES.objectNode();
            object.forEachEntry((name, value) -> {
                if (!name.equals(SPENT)) {
                    kept.set(name, without(value));
                }
            });
            // A step that was served within the microsecond has nothing recorded at all.
            return kept.isEmpty() && object.has(SPENT) ? NODES.nullNode() : kept;
        }
        if (node instanceof ArrayNode array) {
            ArrayNode kept = NODES.arrayNode();
            array.forEach(entry -> kept.add(without(entry)));
            return kept;
        }
        if (node.isIntegralNumber() && node.longValue() > TIME_MIN && node.longValue() < TIME_MAX) {
            return NODES.stringNode("a time");
        }
        JsonNode within = node.isString() ? within(node.stringValue()) : null;
        return within == null ? node : without(within);
    }

    /** Parses the JSON in a text column, or returns null. */
    private static @Nullable JsonNode within(String text) {
        if (!text.startsWith("{") && !text.startsWith("[")) {
            return null;
        }
        try {
            return JsonMapper.shared().readTree(text);
        } catch (JacksonException e) {
            return null; // an ordinary text
        }
    }
}
