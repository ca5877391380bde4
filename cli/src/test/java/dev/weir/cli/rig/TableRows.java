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
 * @param unfiltered the rows with all values
 */
record TableRows(SortedMap<String, List<JsonNode>> rows, String unfiltered) {
    private static final Pattern JSON = Pattern.compile("<json>(.*?)</json>", Pattern.DOTALL);
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    /** The lower bound of numbers that are times in microseconds: the year 2020. The upper one is the year 2100. */
    private static final long TIME_MIN = 1_577_836_800_000_000L;

    private static final long TIME_MAX = 4_102_444_800_000_000L;

    private static final Set<String> SHARED_NUMBERS = Set.of("org", "seq", "ended_seq", "position");
    /** The two columns that hold steps written together with their run, and the columns that say where rows are. */
    private static final Set<String> STORAGE_COLUMNS =
            Set.of("initial_steps", "final_steps", "is_initial", "stored_in");

    /** The column of claims that holds waiting times. The other constant is the field of a step that does. */
    private static final String WAITS = "starts_and_waits";

    private static final String SPENT = "spent";

    /**
     * Columns of the audit that differ between organisations. A duration counts from the last request, so a repeated
     * request with one is a second change; it differs from the first only in these columns and in times.
     */
    private static final Set<String> AUDIT_COLUMNS = Set.of("number", "hash", "previous_hash", "request_id", "before");

    /** The field that tells random tokens of one name apart. */
    private static final String FINGERPRINT = "fingerprint";

    private static final String TIME = "a time";
    private static final Pattern INSTANT = Pattern.compile("\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z");

    /** The kinds of events that set a value. The log repeats such an event although the value stays the same. */
    private static final Set<String> VALUE_EVENTS =
            Set.of("extended", "pinned", "unpinned", "paused", "resumed", "reset");

    static TableRows of(Map<String, String> tables) {
        SortedMap<String, List<JsonNode>> rows = new TreeMap<>();
        tables.forEach((table, xml) -> {
            List<JsonNode> found = rows(xml);
            if (!found.isEmpty()) {
                rows.put(table, found);
            }
        });
        return new TableRows(rows, tables.toString());
    }

    private static List<JsonNode> rows(String xml) {
        List<JsonNode> rows = new ArrayList<>();
        Set<JsonNode> seen = new HashSet<>();
        var found = JSON.matcher(xml);
        while (found.find()) {
            String text =
                    found.group(1).replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
            JsonNode row = JsonMapper.shared().readTree(text);
            if (row instanceof ObjectNode columns) {
                columns.remove(SHARED_NUMBERS);
                columns.remove(STORAGE_COLUMNS);
                columns.remove(WAITS);
                if (columns.has("previous_hash")) {
                    columns.remove(AUDIT_COLUMNS);
                }
            }
            row = normalize(row);
            boolean setsTime = row.path("after").toString().contains(TIME);
            if ((!setsTime && !VALUE_EVENTS.contains(row.path("kind").asString(""))) || seen.add(row)) {
                rows.add(row);
            }
        }
        rows.sort((one, other) -> one.toString().compareTo(other.toString()));
        return rows;
    }

    private static JsonNode normalize(JsonNode node) {
        if (node instanceof ObjectNode object) {
            ObjectNode result = NODES.objectNode();
            object.forEachEntry((name, value) -> {
                if (!name.equals(SPENT) && !name.equals(FINGERPRINT)) {
                    result.set(name, normalize(value));
                }
            });
            // A step that was served within the microsecond has nothing recorded at all.
            return result.isEmpty() && object.has(SPENT) ? NODES.nullNode() : result;
        }
        if (node instanceof ArrayNode array) {
            ArrayNode result = NODES.arrayNode();
            array.forEach(entry -> result.add(normalize(entry)));
            return result;
        }
        if (node.isIntegralNumber() && node.longValue() > TIME_MIN && node.longValue() < TIME_MAX) {
            return NODES.stringNode(TIME);
        }
        if (node.isString() && INSTANT.matcher(node.stringValue()).matches()) {
            return NODES.stringNode(TIME);
        }
        JsonNode parsed = node.isString() ? parseJson(node.stringValue()) : null;
        return parsed == null ? node : normalize(parsed);
    }

    /** Parses the JSON in a text column, or returns null. */
    private static @Nullable JsonNode parseJson(String text) {
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
