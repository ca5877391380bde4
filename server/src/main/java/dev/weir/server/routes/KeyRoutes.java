package dev.weir.server.routes;

import dev.weir.api.InvalidValue;
import dev.weir.api.Keys.KeyAction;
import dev.weir.api.Keys.KeyHolders;
import dev.weir.api.Keys.KeyPage;
import dev.weir.api.Keys.KeyRequest;
import dev.weir.api.Keys.KeyView;
import dev.weir.api.Keys.KeyWaitlist;
import dev.weir.api.Keys.PinRequest;
import dev.weir.api.Keys.Totals;
import dev.weir.core.admission.LimitDirectory;
import dev.weir.core.command.Command;
import dev.weir.core.command.PauseKey;
import dev.weir.core.command.PinKey;
import dev.weir.core.command.ResetRate;
import dev.weir.core.command.ResumeKey;
import dev.weir.core.command.UnpinKey;
import dev.weir.core.explain.KeySnapshot;
import dev.weir.core.explain.OrganisationQueries;
import dev.weir.core.json.StorableJson;
import dev.weir.core.limit.CountedStart;
import dev.weir.core.limit.LimitId;
import dev.weir.core.run.TicketOwner;
import dev.weir.core.state.Permission;
import dev.weir.engine.KeyPages;
import dev.weir.engine.records.Records;
import dev.weir.server.http.RefusedRequest;
import dev.weir.server.http.Request;
import dev.weir.server.http.Response;
import dev.weir.server.http.Routing;
import dev.weir.server.http.Routing.Method;
import dev.weir.server.view.KeyViews;
import dev.weir.server.view.ReasonViews;
import dev.weir.server.view.WireWords;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The routes that show flow-control keys and operate them. A key may contain any character, so it is never a part
 * of a path.
 */
final class KeyRoutes {
    private static final Logger LOG = LoggerFactory.getLogger(KeyRoutes.class);
    private static final Pattern CONTROL = Pattern.compile("[\\p{Cntrl}\u2028\u2029]");
    private static final int LOGGED_CHARS_MAX = 1_000;
    /** The number of starts within the window of a rate that are listed. */
    private static final int STARTS_MAX = 200;

    private final EngineGateway engine;
    private final KeyPages pages;
    private final KeyDetailsReader details;

    KeyRoutes(EngineGateway engine) {
        this.engine = engine;
        this.pages = new KeyPages(engine.weir());
        this.details = new KeyDetailsReader(engine);
    }

    void add(Routing routing) {
        routing.route(Method.GET, "/v1/keys", Permission.READ, this::list);
        routing.route(Method.GET, "/v1/keys/waitlist", Permission.READ, this::waitlist);
        routing.route(Method.GET, "/v1/keys/holders", Permission.READ, this::holders);
        routing.route(Method.POST, "/v1/keys/pause", Permission.PIN, this::pause);
        routing.route(
                Method.POST, "/v1/keys/resume", Permission.PIN, request -> operate(request, "resume", ResumeKey::new));
        routing.route(Method.POST, "/v1/keys/pin", Permission.PIN, this::pin);
        routing.route(
                Method.POST, "/v1/keys/unpin", Permission.PIN, request -> operate(request, "unpin", UnpinKey::new));
        routing.route(
                Method.POST,
                "/v1/keys/reset-rate",
                Permission.PIN,
                request -> operate(request, "reset the rate of", ResetRate::new));
    }

    private Response list(Request request) throws Exception {
        request.allowQueries("key", "prefix", "state", "sort", "details", "cursor", "limit");
        Optional<String> key = request.query("key");
        boolean detailed = request.booleanQuery("details", false);
        if (key.isPresent()) {
            return Response.ok(find(request, key.get(), detailed));
        }
        KeyPages.Page page = pages.page(request.org(), KeyPageParameters.read(request, PageParameters.limit(request)));
        KeyPages.Totals totals = page.totals();
        List<KeyView> keys = detailed
                ? details.list(request.org(), page.keys(), page.now())
                : page.keys().stream()
                        .map(snapshot -> KeyViews.key(snapshot, null, page.now()))
                        .toList();
        return Response.ok(new KeyPage(
                keys,
                new Totals(totals.keys(), totals.waiting(), totals.used()),
                KeyPageParameters.next(request, page)));
    }

    /** A key, the starts that its rate counts, and the time at which they were read. */
    private record FoundKey(KeySnapshot key, List<CountedStart> starts, long now) {}

    private KeyView find(Request request, String key, boolean detailed) throws Exception {
        Optional<FoundKey> found = engine.query(request.org(), (organisation, now) -> {
            var queries = new OrganisationQueries(organisation, now);
            List<CountedStart> starts = detailed ? queries.rateStarts(key, STARTS_MAX) : List.of();
            return queries.findKey(key).map(limit -> new FoundKey(queries.snapshot(limit), starts, now));
        });
        FoundKey read = found.orElseThrow(() -> keyNotFound(key));
        return detailed
                ? details.one(request.org(), read.key, read.starts, read.now)
                : KeyViews.key(read.key, null, read.now);
    }

    private static RefusedRequest keyNotFound(String key) {
        return RefusedRequest.notFound("key", key);
    }

    private static String requiredKey(Request request) {
        return request.query("key").orElseThrow(() -> RefusedRequest.invalid("?key", "a key", "nothing"));
    }

    private Response waitlist(Request request) throws Exception {
        String key = requiredKey(request.allowQueries("key", "limit"));
        int limit = PageParameters.limit(request);
        Optional<KeyWaitlist> found = engine.query(request.org(), (organisation, now) -> {
            var queries = new OrganisationQueries(organisation, now);
            return queries.findKey(key)
                    .map(view -> new KeyWaitlist(key, view.waiting(), KeyViews.waiters(queries.waitlist(key, limit))));
        });
        return Response.ok(found.orElseThrow(() -> keyNotFound(key)));
    }

    private Response holders(Request request) throws Exception {
        String key = requiredKey(request.allowQueries("key", "limit"));
        int limit = request.intQuery("limit", Records.PAGE_MAX, 1, Records.PAGE_MAX);
        find(request, key, false);
        List<TicketOwner> holders = engine.query(
                request.org(), (organisation, now) -> new OrganisationQueries(organisation, now).holders(key, limit));
        return Response.ok(new KeyHolders(key, ReasonViews.holders(holders)));
    }

    private Response pause(Request request) throws Exception {
        KeyRequest body = request.allowQueries().body(KeyRequest.class);
        var command = new PauseKey(new LimitId.Key(body.key()), engine.until(request.org(), body.forTime()));
        return logAndRespond(request, "pause", body, engine.send(request, command, body.reason()));
    }

    private Response pin(Request request) throws Exception {
        PinRequest body = request.allowQueries().body(PinRequest.class);
        PinKey.Values values = pinValues(engine, request.org(), body);
        PinKey.Answer answer = engine.send(request, new PinKey(new LimitId.Key(body.key()), values), body.reason());
        if (answer == PinKey.Answer.NO_RATE) {
            throw noRate();
        }
        logChange(request, "pin", new KeyRequest(body.key(), body.reason(), body.forTime()), answer);
        List<String> warnings = pinWarnings(request.org(), body.key());
        return Response.ok(new KeyAction(body.key(), WireWords.of(answer), warnings.isEmpty() ? null : warnings));
    }

    static PinKey.Values pinValues(EngineGateway engine, String org, PinRequest body)
            throws ExecutionException, TimeoutException, InterruptedException {
        return new PinKey.Values(
                MergeFields.count(body.parallelism()),
                MergeFields.count(body.rate()),
                MergeFields.period(body.period()),
                MergeFields.window(body.window()),
                engine.until(org, body.forTime()));
    }

    static RefusedRequest noRate() {
        return RefusedRequest.invalid("/rate", "a rate together with its period and window, or a pinned rate", "none");
    }

    /** Returns a warning for each kind of waiting step that the values now in force can never admit. */
    private List<String> pinWarnings(String org, String key) throws Exception {
        List<LimitDirectory.TooWide> tooWide =
                engine.query(org, (organisation, now) -> new OrganisationQueries(organisation, now).tooWide(key));
        return tooWide.stream()
                .map(wide -> (wide.tickets() == 1 ? "1 waiting step needs " : wide.tickets() + " waiting steps need ")
                        + wide.need() + " of the " + wide.value() + " of " + wide.max()
                        + (wide.tickets() == 1 ? "; it waits" : "; they wait")
                        + " as over_capacity until the pin changes")
                .toList();
    }

    private Response operate(Request request, String verb, Function<LimitId.Key, Command<? extends Enum<?>>> command)
            throws Exception {
        KeyRequest body = request.allowQueries().body(KeyRequest.class);
        if (body.forTime() != null) {
            throw new InvalidValue(
                    "for", "no duration, because this change does not expire", "'" + body.forTime() + "'");
        }
        return logAndRespond(
                request, verb, body, engine.send(request, command.apply(new LimitId.Key(body.key())), body.reason()));
    }

    private static Response logAndRespond(Request request, String verb, KeyRequest body, Enum<?> answer) {
        logChange(request, verb, body, answer);
        return Response.ok(new KeyAction(body.key(), WireWords.of(answer), null));
    }

    /** Logs the operator's change and its reason, because it concerns everyone who uses the key. */
    private static void logChange(Request request, String verb, KeyRequest body, Enum<?> answer) {
        LOG.info(
                "Organisation {}: {} key {}: {}; reason: {}",
                request.org(),
                verb,
                toSingleLine(body.key()),
                WireWords.of(answer),
                body.reason() == null ? "not given" : toSingleLine(body.reason()));
    }

    /** Returns a text as one line of bounded length, because a log is read line by line. */
    static String toSingleLine(String text) {
        return StorableJson.sanitize(CONTROL.matcher(text).replaceAll(" "), LOGGED_CHARS_MAX);
    }
}
