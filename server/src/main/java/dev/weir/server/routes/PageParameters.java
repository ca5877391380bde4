package dev.weir.server.routes;

import dev.weir.engine.records.PageRequest;
import dev.weir.engine.records.Records;
import dev.weir.server.http.RefusedRequest;
import dev.weir.server.http.Request;
import java.util.function.Function;

/** Reads the paging parameters of a request. */
final class PageParameters {
    private static final int USUAL = 50;

    private PageParameters() {}

    /** Returns the requested page. A cursor that no page has returned is refused. */
    static <T> T page(Request request, Function<PageRequest, T> pages) {
        var asked = new PageRequest(request.query("cursor").orElse(""), limit(request));
        try {
            return pages.apply(asked);
        } catch (IllegalArgumentException e) {
            throw asked.cursor().isEmpty()
                    ? e
                    : RefusedRequest.invalid("?cursor", "the cursor of the previous page", "'" + asked.cursor() + "'");
        }
    }

    static int limit(Request request) {
        return request.wholeNumber("limit", USUAL, 1, Records.PAGE_MAX);
    }
}
