package dev.weir.server.routes;

import dev.weir.api.DeadLetters.BulkCloseRequest;
import dev.weir.api.DeadLetters.ChainLink;
import dev.weir.api.DeadLetters.CloseRequest;
import dev.weir.api.DeadLetters.CloseResult;
import dev.weir.api.DeadLetters.DeadLetterPage;
import dev.weir.api.DeadLetters.DeadLetterView;
import dev.weir.api.Problem;
import dev.weir.api.WireJson;
import dev.weir.core.limit.Moment;
import dev.weir.core.state.DeadLetter;
import dev.weir.core.state.Permission;
import dev.weir.engine.records.BulkOperation.Action;
import dev.weir.engine.records.BulkOperation.Task;
import dev.weir.engine.records.DeadLetterFilter;
import dev.weir.engine.records.DeadLetterRecord;
import dev.weir.engine.records.DeadLetterStore;
import dev.weir.engine.request.DeadLetterOutcome;
import dev.weir.engine.request.DeadLetterRequest;
import dev.weir.server.http.RefusedRequest;
import dev.weir.server.http.Request;
import dev.weir.server.http.Response;
import dev.weir.server.http.Routing;
import dev.weir.server.http.Routing.Method;
import dev.weir.server.view.WireWords;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** The routes that list, show, redrive and discard dead letters. */
final class DeadLetterRoutes {
    private static final Pattern ID = Pattern.compile("[1-9][0-9]{0,17}");

    private final EngineGateway engine;
    private final BulkRoutes bulk;

    DeadLetterRoutes(EngineGateway engine, BulkRoutes bulk) {
        this.engine = engine;
        this.bulk = bulk;
    }

    void add(Routing routing) {
        routing.route(Method.GET, "/v1/dead-letters", Permission.READ, this::list);
        routing.route(Method.GET, "/v1/dead-letters/{letter}", Permission.READ, this::get);
        routing.route(
                Method.POST,
                "/v1/dead-letters/{letter}/redrive",
                Permission.OPERATE,
                request -> close(request, DeadLetter.State.REDRIVEN));
        routing.route(
                Method.POST,
                "/v1/dead-letters/{letter}/discard",
                Permission.OPERATE,
                request -> close(request, DeadLetter.State.DISCARDED));
        routing.route(
                Method.POST,
                "/v1/dead-letters/redrive",
                Permission.OPERATE,
                request -> closeAll(request, Action.REDRIVE));
        routing.route(
                Method.POST,
                "/v1/dead-letters/discard",
                Permission.OPERATE,
                request -> closeAll(request, Action.DISCARD));
    }

    private DeadLetterStore store() {
        return engine.weir().records().deadLetters();
    }

    private Response list(Request request) {
        request.allowQueries("state", "kind", "reason", "workflow", "key", "cursor", "limit");
        var filter = new DeadLetterFilter(
                constant("?state", request.query("state").orElse(null), DeadLetter.State.values()),
                constant("?kind", request.query("kind").orElse(null), DeadLetter.Kind.values()),
                constant("?reason", request.query("reason").orElse(null), DeadLetter.Reason.values()),
                request.query("workflow").orElse(null),
                request.query("key").orElse(null));
        var page = PageParameters.page(request, requested -> store().deadLetters(request.org(), filter, requested));
        List<DeadLetterView> letters =
                page.entries().stream().map(DeadLetterRoutes::view).toList();
        return Response.ok(new DeadLetterPage(letters, WireWords.orNull(page.next())));
    }

    /** Returns the constant that a word names; null if there is no word. Other words are refused. */
    static <E extends Enum<E>> @Nullable E constant(String pointer, @Nullable String word, E[] all) {
        if (word == null) {
            return null;
        }
        return Arrays.stream(all)
                .filter(each -> WireWords.of(each).equals(word))
                .findFirst()
                .orElseThrow(() -> RefusedRequest.invalid(
                        pointer,
                        "one of " + Arrays.stream(all).map(WireWords::of).collect(Collectors.joining(", ")),
                        "'" + word + "'"));
    }

    private Response get(Request request) {
        return Response.ok(view(find(request.allowQueries())));
    }

    private DeadLetterRecord find(Request request) {
        String id = request.path("letter");
        if (!ID.matcher(id).matches()) {
            throw notFound(id);
        }
        return store().findDeadLetter(request.org(), Long.parseLong(id)).orElseThrow(() -> notFound(id));
    }

    private static RefusedRequest notFound(String id) {
        return RefusedRequest.notFound("dead letter", id);
    }

    static DeadLetterView view(DeadLetterRecord found) {
        DeadLetter letter = found.letter();
        DeadLetter.Content content = letter.content();
        return new DeadLetterView(
                String.valueOf(letter.number()),
                WireWords.of(content.kind()),
                WireWords.of(found.state()),
                WireWords.of(content.reason()),
                content.subject(),
                content.workflow(),
                content.keys(),
                content.text(),
                content.chain().stream()
                        .map(link -> new ChainLink(WireWords.of(link.type()), link.id(), link.name()))
                        .toList(),
                WireWords.orNull(content.by()),
                Moment.toInstant(letter.at()),
                found.closedAt(),
                found.redrivenAs(),
                json(content.submission()));
    }

    /** Returns what was submitted. Text that is not JSON is shown as it is. */
    private static @Nullable JsonNode json(@Nullable String text) {
        if (text == null) {
            return null;
        }
        try {
            return WireJson.LENIENT.readTree(text);
        } catch (JacksonException e) {
            return JsonNodeFactory.instance.stringNode(text);
        }
    }

    private Response close(Request request, DeadLetter.State action) throws Exception {
        CloseRequest body = request.allowQueries().body(CloseRequest.class);
        DeadLetterRecord found = find(request);
        long number = found.letter().number();
        var closing = new DeadLetterRequest(number, found.letter().content().subject(), action);
        var by = request.attribution(body.reason());
        return switch (engine.await(engine.weir().close(request.org(), closing, by), Duration.ZERO)) {
            case DeadLetterOutcome.Closed closed ->
                Response.ok(new CloseResult(
                        String.valueOf(number), WireWords.of(closed.state()), closed.redrivenAs(), closed.isNew()));
            case DeadLetterOutcome.ClosedOtherwise other ->
                throw RefusedRequest.of(
                        Problem.Kind.CONFLICT,
                        "expected an open dead letter, found " + number + " " + WireWords.of(other.state()));
            case DeadLetterOutcome.NotFound ignored -> throw notFound(String.valueOf(number));
            case DeadLetterOutcome.Refused refused -> throw RefusedRequest.of(Problem.Kind.REFUSED, refused.reason());
        };
    }

    private Response closeAll(Request request, Action action) {
        BulkCloseRequest body = request.allowQueries().body(BulkCloseRequest.class);
        var wanted = body.filter();
        var filter = new DeadLetterFilter(
                DeadLetter.State.OPEN,
                constant("/filter/kind", wanted.kind(), DeadLetter.Kind.values()),
                constant("/filter/reason", wanted.reason(), DeadLetter.Reason.values()),
                wanted.workflow(),
                wanted.key());
        List<String> ids = wanted.ids() == null ? List.of() : wanted.ids();
        var task = new Task(action, filter, ids, null, BulkRoutes.note(request, body.reason()));
        return bulk.respond(request, task, Boolean.TRUE.equals(body.dryRun()));
    }
}
