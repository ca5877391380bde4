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
 * The rows of an organisation, table by table, without what may differ between two that were asked the same: the time at
 * which it was asked, and how long was waited until then; the numbers of the organisation and of rows that all
 * organisations share; and in which of its two forms a step is written, which depends on what else the transaction wrote.
 *
 * @param all the same with everything in it
 */
record Kept(SortedMap<String, List<JsonNode>> rows, String all) {
    private static final Pattern JSON = Pattern.compile("<json>(.*?)</json>", Pattern.DOTALL);
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    /** Numbers between these are times in microseconds: from 2020 to 2100. */
    private static final long TIME_MIN = 1_577_836_800_000_000L;

    private static final long TIME_MAX = 4_102_444_800_000_000L;

    private static final Set<String> SHARED_NUMBERS = Set.of("org", "seq", "ended_seq", "place");
    /** Two columns in which steps are written with their run, and the one that says so. */
    private static final Set<String> FORMS = Set.of("opened", "steps", "as_opened");

    /** The column of claims that says how long was waited, and the part of what is noted of a step that does. */
    private static final String WAITS = "starts";

    private static final String SPENT = "spent";

    /** The log tells each time that something was set; it stays set to the same. */
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
            // Who was served within the microsecond has nothing noted at all.
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

    /** What a column of text holds as JSON. */
    private static @Nullable JsonNode within(String text) {
        if (!text.startsWith("{") && !text.startsWith("[")) {
            return null;
        }
        try {
            return JsonMapper.shared().readTree(text);
        } catch (JacksonException e) {
            return null; // a text like any other
        }
    }
}
