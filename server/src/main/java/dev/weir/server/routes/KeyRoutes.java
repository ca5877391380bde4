package dev.weir.server.routes;

import dev.weir.api.Invalid;
import dev.weir.api.Keys.KeyAction;
import dev.weir.api.Keys.KeyHolders;
import dev.weir.api.Keys.KeyPage;
import dev.weir.api.Keys.KeyRequest;
import dev.weir.api.Keys.KeyWaitlist;
import dev.weir.api.Keys.PinRequest;
import dev.weir.api.Keys.Totals;
import dev.weir.core.admission.LimitView;
import dev.weir.core.json.Keepable;
import dev.weir.core.life.Command;
import dev.weir.core.life.Holder;
import dev.weir.core.life.Insight;
import dev.weir.core.life.PauseKey;
import dev.weir.core.life.PinKey;
import dev.weir.core.life.ResetRate;
import dev.weir.core.life.ResumeKey;
import dev.weir.core.life.UnpinKey;
import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.Moment;
import dev.weir.core.limit.Pin;
import dev.weir.core.limit.Rate;
import dev.weir.core.limit.Window;
import dev.weir.server.http.Answer;
import dev.weir.server.http.Refused;
import dev.weir.server.http.Request;
import dev.weir.server.http.Routing;
import dev.weir.server.http.Routing.Method;
import dev.weir.server.view.KeyViews;
import dev.weir.server.view.Reasons;
import dev.weir.server.view.Words;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Flow-control keys: looked at and operated. A key may hold any character, so it is never a part of a path. */
final class KeyRoutes {
    private static final Logger LOG = LoggerFactory.getLogger(KeyRoutes.class);
    private static final Pattern CONTROL = Pattern.compile("[\\p{Cntrl}\u2028\u2029]");
    private static final int LOGGED_CHARS_MAX = 1_000;
    private static final Duration FOR_MAX = Duration.ofDays(366);

    private final Engine engine;

    KeyRoutes(Engine engine) {
        this.engine = engine;
    }

    void add(Routing routing) {
        routing.on(Method.GET, "/v1/keys", this::list);
        routing.on(Method.GET, "/v1/keys/waitlist", this::waitlist);
        routing.on(Method.GET, "/v1/keys/holders", this::holders);
        routing.on(Method.POST, "/v1/keys/pause", this::pause);
        routing.on(Method.POST, "/v1/keys/resume", request -> operate(request, "resume", ResumeKey::new));
        routing.on(Method.POST, "/v1/keys/pin", this::pin);
        routing.on(Method.POST, "/v1/keys/unpin", request -> operate(request, "unpin", UnpinKey::new));
        routing.on(
                Method.POST, "/v1/keys/reset-rate", request -> operate(request, "reset the rate of", ResetRate::new));
    }

    private Answer list(Request request) throws Exception {
        request.allow("key", "prefix", "cursor", "limit");
        Optional<String> key = request.query("key");
        if (key.isPresent()) {
            return Answer.ok(KeyViews.key(find(request, key.get())));
        }
        int limit = Paging.limit(request);
        String prefix = request.query("prefix").orElse("");
        String after = request.query("cursor").map(KeyRoutes::decoded).orElse("");
        KeyPage page = engine.look(request.org(), (organisation, now) -> {
            var insight = new Insight(organisation, now);
            List<LimitView> views = insight.keys(prefix, after, limit);
            var totals = insight.totals();
            return new KeyPage(
                    views.stream().map(KeyViews::key).toList(),
                    new Totals(totals.keys(), totals.waiting(), totals.used()),
                    views.size() < limit ? null : encoded(KeyViews.name(views.getLast())));
        });
        return Answer.ok(page);
    }

    private static String encoded(String key) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(key.getBytes(StandardCharsets.UTF_8));
    }

    private static String decoded(String cursor) {
        try {
            return new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw Refused.invalid("?cursor", "the cursor of the page before", "'" + cursor + "'");
        }
    }

    private LimitView find(Request request, String key) throws Exception {
        Optional<LimitView> found =
                engine.look(request.org(), (organisation, now) -> new Insight(organisation, now).findKey(key));
        return found.orElseThrow(() -> Refused.notFound("key", key + " in use"));
    }

    private static String key(Request request) {
        return request.query("key").orElseThrow(() -> Refused.invalid("?key", "a key", "nothing"));
    }

    private Answer waitlist(Request request) throws Exception {
        String key = key(request.allow("key", "limit"));
        int limit = Paging.limit(request);
        LimitView view = find(request, key);
        List<Holder> waiting =
                engine.look(request.org(), (organisation, now) -> new Insight(organisation, now).waitlist(key, limit));
        return Answer.ok(new KeyWaitlist(key, view.waiting(), Reasons.holders(waiting)));
    }

    private Answer holders(Request request) throws Exception {
        String key = key(request.allow("key"));
        find(request, key);
        List<Holder> holders =
                engine.look(request.org(), (organisation, now) -> new Insight(organisation, now).holders(key));
        return Answer.ok(new KeyHolders(key, Reasons.holders(holders)));
    }

    private Answer pause(Request request) throws Exception {
        KeyRequest body = request.allow().body(KeyRequest.class);
        var command = new PauseKey(new LimitId.Key(body.key()), until(request, body.forTime()));
        return operated(request, "pause", body, engine.send(request.org(), command));
    }

    private Answer pin(Request request) throws Exception {
        PinRequest body = request.allow().body(PinRequest.class);
        var pin = new Pin(body.parallelism(), rate(body), until(request, body.forTime()));
        var asked = new KeyRequest(body.key(), body.reason(), body.forTime());
        return operated(
                request, "pin", asked, engine.send(request.org(), new PinKey(new LimitId.Key(body.key()), pin)));
    }

    private static @Nullable Rate rate(PinRequest body) {
        Integer count = body.rate();
        if (count == null) {
            return null;
        }
        Duration period = body.period() == null ? Duration.ofSeconds(1) : Request.duration("period", body.period());
        if (period.compareTo(Duration.ofMillis(1)) < 0 || period.compareTo(Duration.ofDays(7)) > 0) {
            throw Refused.invalid("/period", "from 1ms to 7d", "'" + body.period() + "'");
        }
        return new Rate(count, Moment.micros(period), window(body.window()));
    }

    private static Window window(@Nullable String word) {
        if (word == null || word.equals("sliding")) {
            return Window.SLIDING;
        }
        if (word.equals("fixed")) {
            return Window.FIXED;
        }
        throw Refused.invalid("/window", "sliding or fixed", "'" + word + "'");
    }

    private Answer operate(Request request, String verb, Function<LimitId.Key, Command<? extends Enum<?>>> command)
            throws Exception {
        KeyRequest body = request.allow().body(KeyRequest.class);
        if (body.forTime() != null) {
            throw new Invalid("for", "nothing: this does not end by itself", "'" + body.forTime() + "'");
        }
        return operated(request, verb, body, engine.send(request.org(), command.apply(new LimitId.Key(body.key()))));
    }

    /** The log says what was done and why. A warning, which is what nodes write: it concerns all who use the key. */
    private static Answer operated(Request request, String verb, KeyRequest body, Enum<?> answer) {
        LOG.warn(
                "organisation {}: {} key {}: {}; reason: {}",
                request.org(),
                verb,
                line(body.key()),
                Words.of(answer),
                body.reason() == null ? "not given" : line(body.reason()));
        return Answer.ok(new KeyAction(body.key(), Words.of(answer)));
    }

    /** The text on one line, and not too long: a log is read line by line. */
    private static String line(String text) {
        return Keepable.of(CONTROL.matcher(text).replaceAll(" "), LOGGED_CHARS_MAX);
    }

    private long until(Request request, @Nullable String text) throws Exception {
        if (text == null) {
            return Moment.NEVER;
        }
        Duration length = Request.duration("for", text);
        if (length.isZero() || length.compareTo(FOR_MAX) > 0) {
            throw Refused.invalid("/for", "more than nothing and at most 366d", "'" + text + "'");
        }
        long now = engine.look(request.org(), (organisation, at) -> at);
        return Moment.plus(now, Moment.micros(length));
    }
}
