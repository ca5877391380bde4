package dev.weir.server.routes;

import dev.weir.api.OrganisationAdministration.DeletionList;
import dev.weir.api.OrganisationAdministration.DeletionOrder;
import dev.weir.api.OrganisationAdministration.DeletionRequest;
import dev.weir.api.OrganisationAdministration.DeletionView;
import dev.weir.api.Problem;
import dev.weir.core.command.DeleteRun;
import dev.weir.core.state.Permission;
import dev.weir.engine.organisations.DeletionStore.Deletion;
import dev.weir.engine.records.RunRecord;
import dev.weir.server.http.RefusedRequest;
import dev.weir.server.http.Request;
import dev.weir.server.http.Response;
import dev.weir.server.http.Routing;
import dev.weir.server.http.Routing.Method;
import java.util.List;
import java.util.Map;

/** The routes that delete all data of an organisation, or of an ended run, and show how far that is. */
final class DeletionRoutes {
    private static final int ACCEPTED = 202;

    private final EngineGateway engine;
    private final OrganisationPorts services;

    DeletionRoutes(EngineGateway engine, OrganisationPorts services) {
        this.engine = engine;
        this.services = services;
    }

    void add(Routing routing) {
        routing.route(
                Method.POST,
                "/v1/organisations/{organisation}/delete",
                Permission.ADMINISTER,
                this::deleteOrganisation);
        routing.route(
                Method.GET,
                "/v1/administration/deletions",
                Permission.ADMINISTER,
                request -> list(request, services.deletions().ofOrganisations()));
        routing.route(Method.POST, "/v1/runs/{run}/delete", Permission.DELETE_DATA, this::deleteRun);
        routing.route(
                Method.GET,
                "/v1/deletions",
                Permission.DELETE_DATA,
                request -> list(request, services.deletions().ofRuns(request.org())));
    }

    private static Response list(Request request, List<Deletion> deletions) {
        request.allowQueries();
        return Response.ok(
                new DeletionList(deletions.stream().map(DeletionRoutes::view).toList()));
    }

    private static DeletionView view(Deletion deletion) {
        return new DeletionView(
                deletion.id(),
                deletion.organisation(),
                deletion.run(),
                deletion.endedAt() == null ? "running" : "completed",
                deletion.rows(),
                deletion.beganAt(),
                deletion.endedAt());
    }

    private static Response ordered(String id) {
        return new Response(ACCEPTED, new DeletionOrder(id, "running"), Map.of());
    }

    private static void confirm(DeletionRequest body, String name) {
        if (!body.confirm().equals(name)) {
            throw RefusedRequest.invalid("/confirm", "'" + name + "' again", "'" + body.confirm() + "'");
        }
    }

    private Response deleteOrganisation(Request request) {
        DeletionRequest body = request.allowQueries().body(DeletionRequest.class);
        String name = request.path("organisation");
        if (services.store().findOrganisation(name).isEmpty()) {
            throw RefusedRequest.notFound("organisation", name);
        }
        confirm(body, name);
        if (name.equals(OrganisationRoutes.FIRST_ORGANISATION)) {
            throw RefusedRequest.of(
                    Problem.Kind.CONFLICT, name + " is the organisation of the node itself and cannot be deleted");
        }
        var outcome = engine.weir()
                .whileClosed(name, () -> services.deletions().begin(name, request.attribution(body.reason())));
        services.forgetTokens().accept(name);
        return switch (outcome) {
            case BEGUN -> ordered(newestOf(name));
            case NOT_FOUND -> throw RefusedRequest.notFound("organisation", name);
            case NOT_SUSPENDED ->
                throw RefusedRequest.of(
                        Problem.Kind.CONFLICT, "organisation " + name + " is active; suspend it before you delete it");
        };
    }

    private String newestOf(String org) {
        return services.deletions().ofOrganisations().stream()
                .filter(deletion -> deletion.organisation().equals(org))
                .map(Deletion::id)
                .findFirst()
                .orElse("");
    }

    private Response deleteRun(Request request) throws Exception {
        DeletionRequest body = request.allowQueries().body(DeletionRequest.class);
        String run = request.path("run");
        RunRecord found = engine.run(request.org(), run);
        confirm(body, run);
        String id = "run-" + request.requestId();
        if (!found.state().ended()
                || engine.send(request, new DeleteRun(id, run), body.reason()) == DeleteRun.Answer.LIVE) {
            throw RefusedRequest.of(
                    Problem.Kind.CONFLICT, "run " + run + " has not ended; cancel it before you delete its data");
        }
        return ordered(id);
    }
}
