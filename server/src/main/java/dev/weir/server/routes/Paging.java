package dev.weir.server.routes;

import dev.weir.engine.records.PageRequest;
import dev.weir.engine.records.Records;
import dev.weir.server.http.Refused;
import dev.weir.server.http.Request;
import java.util.function.Function;

/** Which page a request asks for. */
final class Paging {
    private static final int USUAL = 50;

    private Paging() {}

    /** The page that is asked for; a cursor that no page has given is refused. */
    static <T> T page(Request request, Function<PageRequest, T> pages) {
        var asked = new PageRequest(request.query("cursor").orElse(""), limit(request));
        try {
            return pages.apply(asked);
        } catch (IllegalArgumentException e) {
            throw asked.cursor().isEmpty()
                    ? e
                    : Refused.invalid("?cursor", "the cursor of the page before", "'" + asked.cursor() + "'");
        }
    }

    static int limit(Request request) {
        return request.wholeNumber("limit", USUAL, 1, Records.PAGE_MAX);
    }
}
