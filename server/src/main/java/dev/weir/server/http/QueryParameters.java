package dev.weir.server.http;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The query parameters of a request, read strictly. If an unreadable parameter were ignored, the request might
 * select everything.
 */
final class QueryParameters {
    private final Map<String, List<String>> values = new LinkedHashMap<>();

    /**
     * Reads the part of a URL after the question mark.
     *
     * @param text the query as it was sent; absent = no parameters
     */
    QueryParameters(@Nullable String text) {
        for (String pair : text == null ? new String[0] : text.split("&", -1)) {
            if (!pair.isEmpty()) {
                int at = pair.indexOf('=');
                String name = decode(at < 0 ? pair : pair.substring(0, at));
                values.computeIfAbsent(name, ignored -> new ArrayList<>())
                        .add(at < 0 ? "" : decode(pair.substring(at + 1)));
            }
        }
    }

    private static String decode(String part) {
        if (RequestGuard.BROKEN_ESCAPE.matcher(part).find()) {
            throw RefusedRequest.invalid(
                    "?", "two hexadecimal digits after each % (a % itself is %25)", "'" + part + "'");
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
