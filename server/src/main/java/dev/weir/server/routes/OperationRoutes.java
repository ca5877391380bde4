package dev.weir.server.routes;

import dev.weir.api.Health;
import dev.weir.api.Health.Invariant;
import dev.weir.api.Health.Invariants;
import dev.weir.api.OpenApi;
import dev.weir.core.admission.LimitSnapshot;
import dev.weir.core.explain.OrganisationQueries;
import dev.weir.core.limit.LimitId;
import dev.weir.core.reading.WorkflowReader;
import dev.weir.core.state.Permission;
import dev.weir.server.http.Request;
import dev.weir.server.http.Response;
import dev.weir.server.http.Routing;
import dev.weir.server.http.Routing.Method;
import dev.weir.server.view.KeyViews;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The routes for operating a node: health, metrics and invariants, and the documents that describe the API. */
final class OperationRoutes {
    private static final int KEYS_PER_QUERY = 1_000;
    private static final int KEYS_CHECKED_MAX = 20_000;
    private static final int UNAVAILABLE = 503;

    private final EngineGateway engine;
    private final NodeHealth nodeHealth;
    private final PrometheusMeterRegistry meters;

    OperationRoutes(EngineGateway engine, NodeHealth nodeHealth, PrometheusMeterRegistry meters) {
        this.engine = engine;
        this.nodeHealth = nodeHealth;
        this.meters = meters;
    }

    void add(Routing routing) {
        FlowControlPage.add(routing);
        routing.routePublic(
                Method.GET, "/v1/openapi.json", request -> Response.text("application/json", OpenApi.document()));
        routing.routePublic(
                Method.GET,
                "/v1/workflow.schema.json",
                request -> Response.text("application/schema+json", WorkflowReader.schema()));
        routing.routePublic(Method.GET, "/health/live", request -> Response.ok(new Health("ok", List.of())));
        routing.routePublic(Method.GET, "/health/ready", request -> ready());
        routing.routePublic(
                Method.GET,
                "/metrics",
                request -> Response.text("text/plain; version=0.0.4; charset=utf-8", meters.scrape()));
        routing.route(Method.GET, "/v1/invariants", Permission.READ, this::invariants);
    }

    private Response ready() {
        Health health = nodeHealth.check();
        return health.status().equals("unavailable")
                ? new Response(UNAVAILABLE, health, Map.of())
                : Response.ok(health);
    }

    /**
     * Checks that no key in use holds more, or has started more, than it may. Pinned keys are skipped, because a
     * pin may have lowered the limit since. The keys are listed once and then read in parts, so that the shard's
     * loop serves others in between.
     */
    private Response invariants(Request request) throws Exception {
        request.allowQueries();
        List<LimitId.Key> ids = engine.query(
                request.org(),
                (organisation, now) -> new OrganisationQueries(organisation, now).keyIds(KEYS_CHECKED_MAX));
        List<String> parallelism = new ArrayList<>();
        List<String> rate = new ArrayList<>();
        long checked = 0;
        for (int from = 0; from < ids.size(); from += KEYS_PER_QUERY) {
            List<LimitId.Key> batch = ids.subList(from, Math.min(ids.size(), from + KEYS_PER_QUERY));
            List<LimitSnapshot> views = engine.query(
                    request.org(), (organisation, now) -> new OrganisationQueries(organisation, now).keys(batch));
            views.forEach(view -> check(view, parallelism, rate));
            checked += views.size();
        }
        parallelism.sort(null);
        rate.sort(null);
        return Response.ok(new Invariants(
                parallelism.isEmpty() && rate.isEmpty(),
                List.of(
                        new Invariant("parallelism", "S1", checked, parallelism),
                        new Invariant("rate", "S3", checked, rate))));
    }

    private static void check(LimitSnapshot view, List<String> parallelism, List<String> rate) {
        if (view.pin() != null) {
            return;
        }
        Integer capacity = view.parallelism();
        if (capacity != null && view.used() > capacity) {
            parallelism.add(KeyViews.name(view) + ": " + view.used() + " of " + capacity);
        }
        var rateLimit = view.rate();
        if (rateLimit != null && view.rateUsed() > rateLimit.count()) {
            rate.add(KeyViews.name(view) + ": " + view.rateUsed() + " of " + rateLimit.count());
        }
    }
}
