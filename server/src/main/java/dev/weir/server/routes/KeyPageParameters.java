package dev.weir.server.routes;

import dev.weir.engine.KeyPages;
import dev.weir.engine.KeyPages.PageQuery;
import dev.weir.engine.KeyPages.Position;
import dev.weir.engine.KeyPages.Sort;
import dev.weir.engine.KeyPages.State;
import dev.weir.server.http.RefusedRequest;
import dev.weir.server.http.Request;
import dev.weir.server.view.WireWords;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * Reads the parameters of a list of keys, and makes its cursors. A cursor names the order, and the place of the last key
 * in it, so that the next page continues there even if that key has moved or gone.
 */
final class KeyPageParameters {
    private static final String SEPARATOR = "\n";

    private KeyPageParameters() {}

    static PageQuery read(Request request, int limit) {
        Sort sort = sort(request);
        Position after =
                request.query("cursor").map(cursor -> position(sort, cursor)).orElse(null);
        return new PageQuery(request.query("prefix").orElse(""), state(request), sort, after, limit);
    }

    private static @Nullable State state(Request request) {
        String word = request.query("state").orElse(null);
        if (word == null) {
            return null;
        }
        return Arrays.stream(State.values())
                .filter(state -> WireWords.of(state).equals(word))
                .findFirst()
                .orElseThrow(() ->
                        RefusedRequest.invalid("?state", "one of paused, pinned, full, waiting", "'" + word + "'"));
    }

    private static Sort sort(Request request) {
        String word = request.query("sort").orElse("name");
        return Arrays.stream(Sort.values())
                .filter(sort -> WireWords.of(sort).equals(word))
                .findFirst()
                .orElseThrow(() ->
                        RefusedRequest.invalid("?sort", "one of name, fullest, waiting, oldest", "'" + word + "'"));
    }

    /** Returns the cursor of the page that follows, if one does. */
    static @Nullable String next(Request request, KeyPages.Page page) {
        Position next = page.next();
        if (next == null) {
            return null;
        }
        String text = WireWords.of(sort(request)) + SEPARATOR + next.rank() + SEPARATOR + next.key();
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    private static Position position(Sort sort, String cursor) {
        try {
            String text = new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.UTF_8);
            String[] parts = text.split(SEPARATOR, 3);
            if (parts.length == 3 && parts[0].equals(WireWords.of(sort))) {
                return new Position(Double.parseDouble(parts[1]), parts[2]);
            }
        } catch (IllegalArgumentException e) {
            // not a cursor: refused below
        }
        throw RefusedRequest.invalid(
                "?cursor", "the cursor of the previous page in the same order", "'" + cursor + "'");
    }
}
