package dev.weir.engine.secret;

import dev.weir.core.json.CanonicalJson;
import dev.weir.core.state.Update;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Hides values of secrets in data that comes back from where they were sent: an echo, a report, an error, the URL of a
 * redirect. It recognises a value as it is, in URL encoding, and as JSON text. A value that was transformed in another
 * way is not found.
 */
public final class SecretRedactor {
    /** The replacement for a value. */
    public static final String REPLACEMENT = "***";
    /** The shortest value that is hidden. Shorter ones occur by chance, and hiding them would damage the data. */
    public static final int CHARS_MIN = 4;

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    /** The longest part of a value that is searched for at an edge of a text, in characters. */
    private static final int EDGE_CHARS_MAX = 1_024;

    /**
     * A pattern for all spellings of all values, the longest first, because a value may contain another one. It ignores
     * case, because host names come back in lower case.
     */
    private final @Nullable Pattern pattern;

    private final List<String> spellings;

    public SecretRedactor(Collection<String> values) {
        Set<String> spellings = new LinkedHashSet<>();
        for (String value : values) {
            if (value.length() >= CHARS_MIN) {
                spellings.add(value);
                String inUrl = URLEncoder.encode(value, StandardCharsets.UTF_8);
                spellings.add(inUrl);
                spellings.add(inUrl.replace("+", "%20"));
                String quoted = NODES.stringNode(value).toString();
                spellings.add(quoted.substring(1, quoted.length() - 1));
            }
        }
        this.spellings = spellings.stream()
                .sorted(Comparator.comparingInt(String::length).reversed())
                .toList();
        String alternatives = this.spellings.stream().map(Pattern::quote).collect(Collectors.joining("|"));
        pattern = alternatives.isEmpty()
                ? null
                : Pattern.compile(alternatives, Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE);
    }

    public String redact(String text) {
        return pattern == null ? text : pattern.matcher(text).replaceAll(REPLACEMENT);
    }

    /** Returns the report with all values hidden. */
    public Update redact(Update report) {
        return switch (report) {
            case Update.Completed completed -> new Update.Completed(CanonicalJson.of(redact(completed.output())));
            case Update.NeedsInput asked -> new Update.NeedsInput(CanonicalJson.of(redact(asked.prompt())));
            case Update.Failed failed ->
                new Update.Failed(
                        redactTruncated(failed.error()), failed.permanent(), failed.retryAfter(), failed.status());
            case Update.NoOp noOp -> noOp;
            case Update.Rescheduled rescheduled -> rescheduled;
        };
    }

    /** Hides values in an error. An error that was cut, and so ends with two periods, may end within a value. */
    private String redactTruncated(String error) {
        if (error.length() < Update.Failed.ERROR_CHARS_MAX) {
            return redact(error);
        }
        String whole = error.substring(0, error.length() - 2);
        int end = whole.length();
        for (String spelling : spellings) {
            end = Math.min(end, whole.length() - partialMatch(whole, spelling, false));
        }
        return end == whole.length() ? redact(error) : redact(whole.substring(0, end)) + REPLACEMENT;
    }

    /**
     * Replaces each hidden byte by a star, so that the text keeps its length. A part of a value at the beginning or the
     * end is hidden too if it has enough characters, because the rest may be in the text before or after.
     */
    public String mask(String text) {
        if (pattern == null) {
            return text;
        }
        int begin = 0;
        int end = text.length();
        for (String spelling : spellings) {
            begin = Math.max(begin, partialMatch(text, spelling, true));
            end = Math.min(end, text.length() - partialMatch(text, spelling, false));
        }
        if (begin >= end) {
            return stars(text);
        }
        String middle = pattern.matcher(text.substring(begin, end)).replaceAll(found -> stars(found.group()));
        return stars(text.substring(0, begin)) + middle + stars(text.substring(end));
    }

    /**
     * The number of characters at an edge of a text that are the last, or the first, of a longer value; 0 if there are
     * too few.
     */
    private static int partialMatch(String text, String spelling, boolean atBegin) {
        int max = Math.min(Math.min(spelling.length() - 1, text.length()), EDGE_CHARS_MAX);
        for (int chars = max; chars >= CHARS_MIN; chars--) {
            boolean same = atBegin
                    ? text.regionMatches(true, 0, spelling, spelling.length() - chars, chars)
                    : text.regionMatches(true, text.length() - chars, spelling, 0, chars);
            if (same) {
                return chars;
            }
        }
        return 0;
    }

    private static String stars(String text) {
        return "*".repeat(text.getBytes(StandardCharsets.UTF_8).length);
    }

    /** Returns a copy in which all texts, including property names, have their values hidden. */
    public JsonNode redact(JsonNode value) {
        if (pattern == null) {
            return value;
        }
        if (value.isObject()) {
            ObjectNode copy = NODES.objectNode();
            value.properties().forEach(entry -> copy.set(redact(entry.getKey()), redact(entry.getValue())));
            return copy;
        }
        if (value.isArray()) {
            ArrayNode copy = NODES.arrayNode(value.size());
            value.forEach(element -> copy.add(redact(element)));
            return copy;
        }
        if (value.isNumber()) {
            String digits = value.toString();
            return redact(digits).equals(digits) ? value : NODES.stringNode(REPLACEMENT);
        }
        return value.isString() ? NODES.stringNode(redact(value.stringValue())) : value;
    }
}
