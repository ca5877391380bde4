package dev.weir.server.routes;

import dev.weir.api.Events.EventPage;
import dev.weir.api.Events.SchedulePage;
import dev.weir.api.Events.SendEventRequest;
import dev.weir.api.Events.SendResult;
import dev.weir.api.Events.SendResults;
import dev.weir.api.Events.SentEvent;
import dev.weir.api.Problem;
import dev.weir.api.Work;
import dev.weir.core.definition.DefinitionBounds;
import dev.weir.core.run.ScheduleStatus;
import dev.weir.core.state.Attribution;
import dev.weir.core.state.EventOutcome;
import dev.weir.core.state.EventRow;
import dev.weir.core.state.Permission;
import dev.weir.core.state.TriggerId;
import dev.weir.engine.records.EventFilter;
import dev.weir.engine.request.EventReceipt;
import dev.weir.engine.request.EventRequest;
import dev.weir.server.http.RefusedRequest;
import dev.weir.server.http.Request;
import dev.weir.server.http.Response;
import dev.weir.server.http.Routing;
import dev.weir.server.http.Routing.Method;
import dev.weir.server.view.EventViews;
import dev.weir.server.view.WireWords;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;

/** The routes that receive and show events, and show schedules. */
final class EventRoutes {
    private static final Pattern NAME =
            Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_.-]{0," + (DefinitionBounds.NAME_CHARS_MAX - 1) + "}");
    private static final String NO_TRIGGER = "no_trigger";

    private final EngineGateway engine;

    EventRoutes(EngineGateway engine) {
        this.engine = engine;
    }

    void add(Routing routing) {
        routing.route(Method.POST, "/v1/events", Permission.START, this::send);
        routing.route(Method.POST, "/v1/events/batch", Permission.START, this::sendAll);
        routing.route(Method.GET, "/v1/events", Permission.READ, this::list);
        routing.route(Method.GET, "/v1/events/{event}", Permission.READ, this::show);
        routing.route(Method.GET, "/v1/schedules", Permission.READ, this::schedules);
    }

    private Response send(Request request) throws Exception {
        Optional<String> key = request.header("Idempotency-Key");
        SendEventRequest body =
                CloudEventBody.find(request.allowQueries()).orElseGet(() -> request.body(SendEventRequest.class));
        EventRequest event = toEvent(body, key.orElse(null), "");
        EventReceipt receipt =
                engine.await(engine.weir().receive(request.org(), event, request.attribution()), Duration.ZERO);
        return switch (receipt) {
            case EventReceipt.Received received ->
                Response.created(new SentEvent(received.id(), true), "/v1/events/" + received.id());
            case EventReceipt.Existing existing -> Response.ok(new SentEvent(existing.id(), false));
            case EventReceipt.OtherBody other ->
                throw RefusedRequest.of(
                        key.isPresent() ? Problem.Kind.REFUSED : Problem.Kind.CONFLICT,
                        "event " + other.id() + " was already sent with a different body; use another "
                                + (key.isPresent() ? "Idempotency-Key" : "id"));
            case EventReceipt.Refused refused -> throw RefusedRequest.of(Problem.Kind.REFUSED, refused.reason());
        };
    }

    private Response sendAll(Request request) throws Exception {
        Optional<String> key = request.header("Idempotency-Key");
        Attribution by = request.attribution();
        CloudEventBody.refuseBatch(request);
        var batch = new BatchRequest<SendEventRequest, SendResult, SendResult>(
                (body, at) -> {
                    String position = at.substring(at.lastIndexOf('/'));
                    EventRequest event =
                            toEvent(body, key.map(value -> value + position).orElse(null), at);
                    return engine.weir().receive(request.org(), event, by).thenApply(EventRoutes::result);
                },
                (body, result) -> result,
                (entry, why) -> new SendResult(entry.textField("id"), Work.REFUSED, why));
        var entries = request.allowQueries().entries("events", SendEventRequest.class);
        return Response.ok(new SendResults(batch.execute(engine, entries)));
    }

    private static SendResult result(EventReceipt receipt) {
        return switch (receipt) {
            case EventReceipt.Received received -> new SendResult(received.id(), "created", null);
            case EventReceipt.Existing existing -> new SendResult(existing.id(), "existing", null);
            case EventReceipt.OtherBody other ->
                new SendResult(
                        other.id(), "conflict", "event " + other.id() + " was already sent with a different body");
            case EventReceipt.Refused refused -> throw RefusedRequest.of(Problem.Kind.REFUSED, refused.reason());
        };
    }

    private static EventRequest toEvent(SendEventRequest body, @Nullable String key, String pointer) {
        if (!NAME.matcher(body.event()).matches()) {
            throw RefusedRequest.invalid(
                    pointer + "/event", "a name of letters, digits, '_', '-' and '.'", "'" + body.event() + "'");
        }
        if (body.id() != null && body.id().startsWith(EventRow.EMITTED_PREFIX)) {
            throw RefusedRequest.invalid(
                    pointer + "/id",
                    "an id that does not begin with " + EventRow.EMITTED_PREFIX,
                    "'" + body.id() + "'");
        }
        boolean hasNewId = body.id() == null && key == null;
        String keyId = key == null ? "event-" + UUID.randomUUID() : StartRoutes.idFromKey(key);
        return new EventRequest(
                body.id() == null ? keyId : body.id(),
                hasNewId,
                body.event(),
                body.source(),
                body.data() == null ? JsonNodeFactory.instance.objectNode() : body.data(),
                body.correlationId());
    }

    private Response list(Request request) {
        request.allowQueries("event", "workflow", "outcome", "cursor", "limit");
        String outcome = request.query("outcome").orElse(null);
        var filter = new EventFilter(
                request.query("event").orElse(null),
                request.query("workflow").orElse(null),
                outcome == null || outcome.equals(NO_TRIGGER) ? null : kind(outcome),
                NO_TRIGGER.equals(outcome));
        var page = PageParameters.page(
                request, requested -> engine.weir().records().events().events(request.org(), filter, requested));
        var events = page.entries().stream()
                .map(event -> EventViews.event(event, false))
                .toList();
        return Response.ok(new EventPage(events, WireWords.orNull(page.next())));
    }

    private static EventOutcome.Kind kind(String word) {
        return Arrays.stream(EventOutcome.Kind.values())
                .filter(kind -> kind.word().equals(word))
                .findFirst()
                .orElseThrow(() -> RefusedRequest.invalid(
                        "?outcome",
                        "one of "
                                + Arrays.stream(EventOutcome.Kind.values())
                                        .map(kind -> kind.name().toLowerCase(Locale.ROOT))
                                        .collect(Collectors.joining(", "))
                                + ", " + NO_TRIGGER,
                        "'" + word + "'"));
    }

    private Response show(Request request) {
        String id = request.allowQueries().path("event");
        return engine.weir()
                .records()
                .events()
                .findEvent(request.org(), id)
                .map(event -> Response.ok(EventViews.event(event, true)))
                .orElseThrow(() -> RefusedRequest.of(
                        Problem.Kind.NOT_FOUND, "event not found: " + id + ". List events with `weir events`."));
    }

    private Response schedules(Request request) throws Exception {
        request.allowQueries("cursor", "limit");
        int limit = PageParameters.limit(request);
        TriggerId after = after(request.query("cursor").orElse("/"));
        List<ScheduleStatus> page = engine.query(
                request.org(), (organisation, now) -> organisation.view().schedules(after, limit));
        return Response.ok(new SchedulePage(
                page.stream().map(EventViews::schedule).toList(),
                page.size() < limit ? null : page.getLast().row().trigger().toString()));
    }

    private static TriggerId after(String cursor) {
        int slash = cursor.indexOf('/');
        if (slash < 0) {
            throw RefusedRequest.invalid("?cursor", "the cursor of the previous page", "'" + cursor + "'");
        }
        return new TriggerId(cursor.substring(0, slash), cursor.substring(slash + 1));
    }
}
