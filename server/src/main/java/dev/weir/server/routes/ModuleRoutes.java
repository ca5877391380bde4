package dev.weir.server.routes;

import dev.weir.api.Modules.ModulePage;
import dev.weir.api.Modules.ModuleView;
import dev.weir.api.Modules.WorkerPage;
import dev.weir.api.Modules.WorkerView;
import dev.weir.core.explain.WorkQueries;
import dev.weir.core.state.Permission;
import dev.weir.server.http.RefusedRequest;
import dev.weir.server.http.Request;
import dev.weir.server.http.Response;
import dev.weir.server.http.Routing;
import dev.weir.server.http.Routing.Method;
import dev.weir.server.view.ModuleViews;
import dev.weir.server.view.OrganisationMetrics;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/** The routes that show modules and workers, and the metrics of an organisation. */
final class ModuleRoutes {
    private final EngineGateway engine;

    ModuleRoutes(EngineGateway engine) {
        this.engine = engine;
    }

    void add(Routing routing) {
        routing.route(Method.GET, "/v1/modules", Permission.READ, this::modules);
        routing.route(Method.GET, "/v1/workers", Permission.READ, this::workers);
        routing.route(Method.GET, "/v1/metrics", Permission.READ, this::metrics);
    }

    /**
     * Lists modules, or returns one. One that nobody uses at the moment is answered with zeros: a scaler must be able
     * to ask about it.
     */
    private Response modules(Request request) throws Exception {
        request.allowQueries("module", "prefix", "cursor", "limit");
        Optional<String> module = request.query("module");
        if (module.isPresent()) {
            return Response.ok(engine.query(
                    request.org(),
                    (organisation, now) ->
                            ModuleViews.module(new WorkQueries(organisation, now).module(module.get()))));
        }
        int limit = PageParameters.limit(request);
        String prefix = request.query("prefix").orElse("");
        String after = after(request);
        List<ModuleView> page = engine.query(
                request.org(),
                (organisation, now) -> new WorkQueries(organisation, now)
                        .modules(prefix, after, limit).stream()
                                .map(ModuleViews::module)
                                .toList());
        return Response.ok(new ModulePage(
                page, page.size() < limit ? null : cursor(page.getLast().module())));
    }

    private Response workers(Request request) throws Exception {
        request.allowQueries("prefix", "cursor", "limit");
        int limit = PageParameters.limit(request);
        String prefix = request.query("prefix").orElse("");
        String after = after(request);
        List<WorkerView> page = engine.query(
                request.org(),
                (organisation, now) -> new WorkQueries(organisation, now)
                        .workers(prefix, after, limit).stream()
                                .map(ModuleViews::worker)
                                .toList());
        return Response.ok(new WorkerPage(
                page, page.size() < limit ? null : cursor(page.getLast().worker())));
    }

    private static String cursor(String last) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(last.getBytes(StandardCharsets.UTF_8));
    }

    private static String after(Request request) {
        String cursor = request.query("cursor").orElse("");
        try {
            return new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw RefusedRequest.invalid("?cursor", "the cursor of the previous page", "'" + cursor + "'");
        }
    }

    private Response metrics(Request request) throws Exception {
        request.allowQueries();
        String text = engine.query(request.org(), OrganisationMetrics::of).text();
        return Response.text("text/plain; version=0.0.4; charset=utf-8", text);
    }
}
