package dev.weir.server.routes;

import dev.weir.api.Notices.NoticePage;
import dev.weir.api.Notices.NoticeView;
import dev.weir.core.limit.Moment;
import dev.weir.core.state.Notice;
import dev.weir.core.state.Permission;
import dev.weir.engine.records.NoticeFilter;
import dev.weir.engine.records.NoticeRecord;
import dev.weir.server.http.RefusedRequest;
import dev.weir.server.http.Request;
import dev.weir.server.http.Response;
import dev.weir.server.http.Routing;
import dev.weir.server.http.Routing.Method;
import dev.weir.server.view.WireWords;
import org.jspecify.annotations.Nullable;

/** The route that lists notices. */
final class NoticeRoutes {
    private final EngineGateway engine;

    NoticeRoutes(EngineGateway engine) {
        this.engine = engine;
    }

    void add(Routing routing) {
        routing.route(Method.GET, "/v1/notices", Permission.READ, this::list);
    }

    private Response list(Request request) {
        request.allowQueries("state", "kind", "severity", "subject", "cursor", "limit");
        var filter = new NoticeFilter(
                open(request.query("state").orElse(null)),
                DeadLetterRoutes.constant("?kind", request.query("kind").orElse(null), Notice.Kind.values()),
                DeadLetterRoutes.constant(
                        "?severity", request.query("severity").orElse(null), Notice.Severity.values()),
                request.query("subject").orElse(null));
        var page = PageParameters.page(
                request, requested -> engine.weir().records().notices().notices(request.org(), filter, requested));
        var notices = page.entries().stream().map(NoticeRoutes::view).toList();
        return Response.ok(new NoticePage(notices, WireWords.orNull(page.next())));
    }

    private static @Nullable Boolean open(@Nullable String state) {
        return switch (state) {
            case null -> null;
            case "open" -> true;
            case "closed" -> false;
            default -> throw RefusedRequest.invalid("?state", "one of open, closed", "'" + state + "'");
        };
    }

    private static NoticeView view(NoticeRecord found) {
        Notice notice = found.notice();
        return new NoticeView(
                String.valueOf(notice.number()),
                WireWords.of(notice.subject().kind()),
                WireWords.of(notice.severity()),
                found.closedAt() == null ? "open" : "closed",
                WireWords.orNull(notice.subject().name()),
                notice.used(),
                notice.max() == 0 ? null : notice.max(),
                Moment.toInstant(notice.at()),
                found.closedAt());
    }
}
