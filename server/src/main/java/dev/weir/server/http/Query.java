package dev.weir.server.http;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The parameters of a request, read strictly: one that is left out because it cannot be read could ask for everything. */
final class Query {
    private static final Pattern BROKEN = Pattern.compile("%(?![0-9A-Fa-f]{2})");

    private final Map<String, List<String>> values = new LinkedHashMap<>();

    /**
     * Reads what stands after the question mark of a URL.
     *
     * @param text as it was sent; absent = nothing
     */
    Query(@Nullable String text) {
        for (String pair : text == null ? new String[0] : text.split("&", -1)) {
            if (!pair.isEmpty()) {
                int at = pair.indexOf('=');
                String name = decoded(at < 0 ? pair : pair.substring(0, at));
                values.computeIfAbsent(name, ignored -> new ArrayList<>())
                        .add(at < 0 ? "" : decoded(pair.substring(at + 1)));
            }
        }
    }

    private static String decoded(String part) {
        if (BROKEN.matcher(part).find()) {
            throw Refused.invalid("?", "two hexadecimal digits after each % (a % itself is %25)", "'" + part + "'");
        }
        return URLDecoder.decode(part, StandardCharsets.UTF_8);
    }

    Set<String> names() {
        return values.keySet();
    }

    List<String> values(String name) {
        return values.getOrDefault(name, List.of());
    }
}
