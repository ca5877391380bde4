package dev.weir.server.routes;

import dev.weir.api.Health;
import dev.weir.api.Health.Invariant;
import dev.weir.api.Health.Invariants;
import dev.weir.api.OpenApi;
import dev.weir.core.admission.KeySlice;
import dev.weir.core.admission.Overuse;
import dev.weir.core.admission.OveruseSlice;
import dev.weir.core.explain.OrganisationQueries;
import dev.weir.core.reading.WorkflowReader;
import dev.weir.core.state.Permission;
import dev.weir.engine.KeyPages;
import dev.weir.server.http.Request;
import dev.weir.server.http.Response;
import dev.weir.server.http.Routing;
import dev.weir.server.http.Routing.Method;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The routes for operating a node: health, metrics and invariants, and the documents that describe the API. */
final class OperationRoutes {
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
     * Checks that no key in use has more running, or has started more, than it allowed. The keys are read in slices, so
     * that the shard's loop serves others in between.
     */
    private Response invariants(Request request) throws Exception {
        request.allowQueries();
        List<Overuse> capacities = new ArrayList<>();
        List<Overuse> rates = new ArrayList<>();
        long checked = 0;
        long from = KeySlice.START;
        while (from != KeySlice.END) {
            long after = from;
            OveruseSlice slice = engine.query(
                    request.org(),
                    (organisation, now) ->
                            new OrganisationQueries(organisation, now).overuse(after, KeyPages.SLICE_LIMITS));
            capacities.addAll(slice.capacities());
            rates.addAll(slice.rates());
            checked += slice.checked();
            from = slice.end();
        }
        Invariant parallelism = invariant("parallelism", "S1", checked, capacities);
        Invariant rate = invariant("rate", "S3", checked, rates);
        boolean hold = parallelism.violations().isEmpty() && rate.violations().isEmpty();
        return Response.ok(new Invariants(hold, List.of(parallelism, rate)));
    }

    private static Invariant invariant(String name, String promise, long checked, List<Overuse> found) {
        return new Invariant(name, promise, checked, texts(found, true), texts(found, false));
    }

    private static List<String> texts(List<Overuse> found, boolean isProved) {
        return found.stream()
                .filter(overuse -> overuse.isProved() == isProved)
                .map(Overuse::toString)
                .sorted()
                .toList();
    }
}
