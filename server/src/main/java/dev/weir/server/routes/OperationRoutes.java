package dev.weir.server.routes;

import dev.weir.api.Health;
import dev.weir.api.Health.Invariant;
import dev.weir.api.Health.Invariants;
import dev.weir.api.OpenApi;
import dev.weir.core.admission.LimitView;
import dev.weir.core.life.Insight;
import dev.weir.core.reading.WorkflowReader;
import dev.weir.server.http.Answer;
import dev.weir.server.http.Request;
import dev.weir.server.http.Routing;
import dev.weir.server.http.Routing.Method;
import dev.weir.server.view.KeyViews;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** For those who look after a node: health, metrics, what has to be true; and what the API is. */
final class OperationRoutes {
    private static final int KEYS_PER_LOOK = 200;
    private static final int KEYS_LOOKED_MAX = 20_000;
    private static final int UNAVAILABLE = 503;

    private final Engine engine;
    private final Condition condition;
    private final PrometheusMeterRegistry meters;

    OperationRoutes(Engine engine, Condition condition, PrometheusMeterRegistry meters) {
        this.engine = engine;
        this.condition = condition;
        this.meters = meters;
    }

    void add(Routing routing) {
        routing.open(Method.GET, "/", request -> Answer.text("text/html; charset=utf-8", LandingPage.html()));
        routing.open(Method.GET, "/v1/openapi.json", request -> Answer.text("application/json", OpenApi.document()));
        routing.open(
                Method.GET,
                "/v1/workflow.schema.json",
                request -> Answer.text("application/schema+json", WorkflowReader.schema()));
        routing.open(Method.GET, "/health/live", request -> Answer.ok(new Health("ok", List.of())));
        routing.open(Method.GET, "/health/ready", request -> ready());
        routing.open(
                Method.GET,
                "/metrics",
                request -> Answer.text("text/plain; version=0.0.4; charset=utf-8", meters.scrape()));
        routing.on(Method.GET, "/v1/invariants", this::invariants);
    }

    private Answer ready() {
        Health health = condition.now();
        return health.status().equals("unavailable") ? new Answer(UNAVAILABLE, health, Map.of()) : Answer.ok(health);
    }

    /** Looks at every key in use: none holds more, or has started more, than it may. A pin may have lowered it since. */
    private Answer invariants(Request request) throws Exception {
        request.allow();
        List<String> parallelism = new ArrayList<>();
        List<String> rate = new ArrayList<>();
        long looked = 0;
        String after = "";
        List<LimitView> views;
        do {
            String from = after;
            views = engine.look(
                    request.org(), (organisation, now) -> new Insight(organisation, now).keys("", from, KEYS_PER_LOOK));
            for (LimitView view : views) {
                check(view, parallelism, rate);
                after = KeyViews.name(view);
            }
            looked += views.size();
        } while (views.size() == KEYS_PER_LOOK && looked < KEYS_LOOKED_MAX);
        return Answer.ok(new Invariants(
                parallelism.isEmpty() && rate.isEmpty(),
                List.of(
                        new Invariant("parallelism", "S1", looked, parallelism),
                        new Invariant("rate", "S3", looked, rate))));
    }

    private static void check(LimitView view, List<String> parallelism, List<String> rate) {
        if (view.pin() != null) {
            return;
        }
        Integer capacity = view.parallelism();
        if (capacity != null && view.used() > capacity) {
            parallelism.add(KeyViews.name(view) + ": " + view.used() + " of " + capacity);
        }
        var most = view.rate();
        if (most != null && view.rateUsed() > most.count()) {
            rate.add(KeyViews.name(view) + ": " + view.rateUsed() + " of " + most.count());
        }
    }
}
