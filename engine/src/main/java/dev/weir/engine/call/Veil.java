package dev.weir.engine.call;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Hides values of secrets in what comes back from where they were sent: an echo, an error, the address of a redirect.
 * It knows a value as it is, as it stands in a URL and as it stands in JSON; one that was changed otherwise passes.
 */
public final class Veil {
    /** What is shown in the place of a value. */
    public static final String SHOWN = "***";
    /** A shorter value is no secret: hiding it would only spoil what holds it by chance. */
    public static final int CHARS_MIN = 4;

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    /** Any spelling of any value, the longest first: a value may hold another one. Hosts come back in small letters. */
    private final @Nullable Pattern hidden;

    public Veil(Collection<String> values) {
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
        String any = spellings.stream()
                .sorted(Comparator.comparingInt(String::length).reversed())
                .map(Pattern::quote)
                .collect(Collectors.joining("|"));
        hidden = any.isEmpty() ? null : Pattern.compile(any, Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE);
    }

    public String over(String text) {
        return hidden == null ? text : hidden.matcher(text).replaceAll(SHOWN);
    }

    /** A copy in which the texts, those of names too, show nothing that is hidden. */
    public JsonNode over(JsonNode value) {
        if (hidden == null) {
            return value;
        }
        if (value.isObject()) {
            ObjectNode copy = NODES.objectNode();
            value.properties().forEach(entry -> copy.set(over(entry.getKey()), over(entry.getValue())));
            return copy;
        }
        if (value.isArray()) {
            ArrayNode copy = NODES.arrayNode(value.size());
            value.forEach(element -> copy.add(over(element)));
            return copy;
        }
        if (value.isNumber()) {
            String digits = value.toString();
            return over(digits).equals(digits) ? value : NODES.stringNode(SHOWN);
        }
        return value.isString() ? NODES.stringNode(over(value.stringValue())) : value;
    }
}
