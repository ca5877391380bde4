package dev.weir.server.routes;

import dev.weir.engine.records.PageRequest;
import dev.weir.engine.records.Records;
import dev.weir.server.http.RefusedRequest;
import dev.weir.server.http.Request;
import java.util.function.Function;

/** Reads the paging parameters of a request. */
final class PageParameters {
    private static final int DEFAULT_LIMIT = 50;

    private PageParameters() {}

    /** Returns the requested page. A cursor that no page has returned is refused. */
    static <T> T page(Request request, Function<PageRequest, T> reader) {
        var pageRequest = new PageRequest(request.query("cursor").orElse(""), limit(request));
        try {
            return reader.apply(pageRequest);
        } catch (IllegalArgumentException e) {
            throw pageRequest.cursor().isEmpty()
                    ? e
                    : RefusedRequest.invalid(
                            "?cursor", "the cursor of the previous page", "'" + pageRequest.cursor() + "'");
        }
    }

    static int limit(Request request) {
        return request.intQuery("limit", DEFAULT_LIMIT, 1, Records.PAGE_MAX);
    }
}
