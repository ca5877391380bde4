package dev.weir.server.routes;

import dev.weir.api.OrganisationAdministration.AvailabilityRequest;
import dev.weir.api.OrganisationAdministration.AvailabilityView;
import dev.weir.api.Problem;
import dev.weir.api.Problem.Finding;
import dev.weir.api.Workflows.Applied;
import dev.weir.api.Workflows.Valid;
import dev.weir.api.Workflows.WorkflowPage;
import dev.weir.api.Workflows.WorkflowSummary;
import dev.weir.api.Workflows.WorkflowView;
import dev.weir.core.command.RegisterWorkflow;
import dev.weir.core.command.SetWorkflowAvailability;
import dev.weir.core.definition.Workflow;
import dev.weir.core.reading.ReadProblem;
import dev.weir.core.reading.ReadResult;
import dev.weir.core.reading.WorkflowReader;
import dev.weir.core.state.Permission;
import dev.weir.core.state.WorkflowAvailability;
import dev.weir.server.http.RefusedRequest;
import dev.weir.server.http.Request;
import dev.weir.server.http.Response;
import dev.weir.server.http.Routing;
import dev.weir.server.http.Routing.Method;
import dev.weir.server.view.WireWords;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** The routes that register, show and validate workflows. */
final class WorkflowRoutes {
    private static final int VERSION_MAX = 1_000_000_000;

    private final EngineGateway engine;

    WorkflowRoutes(EngineGateway engine) {
        this.engine = engine;
    }

    void add(Routing routing) {
        routing.route(Method.GET, "/v1/workflows", Permission.READ, this::list);
        routing.route(Method.POST, "/v1/workflows/validate", Permission.READ, this::validate);
        routing.route(Method.GET, "/v1/workflows/{workflow}", Permission.READ, this::get);
        routing.route(Method.PUT, "/v1/workflows/{workflow}", Permission.REGISTER, this::put);
        routing.route(Method.PUT, "/v1/workflows/{workflow}/availability", Permission.OPERATE, this::putAvailability);
    }

    private Response put(Request request) throws Exception {
        var read = read(request.allowQueries());
        Workflow workflow = read.value();
        List<Finding> findings = findings(read);
        String name = request.path("workflow");
        if (!workflow.name().equals(name)) {
            throw RefusedRequest.invalid("/workflow", "'" + name + "' as in the path", "'" + workflow.name() + "'");
        }
        return switch (engine.send(request, new RegisterWorkflow(workflow))) {
            case RegisterWorkflow.Answer.Registered registered ->
                Response.created(new Applied(name, registered.version(), true, findings), "/v1/workflows/" + name);
            case RegisterWorkflow.Answer.Unchanged unchanged ->
                Response.ok(new Applied(name, unchanged.version(), false, findings));
        };
    }

    private Response validate(Request request) {
        var read = read(request.allowQueries());
        Workflow workflow = read.value();
        return Response.ok(new Valid(workflow.name(), workflow.steps().size(), findings(read)));
    }

    private static ReadResult.Accepted<Workflow> read(Request request) {
        return switch (WorkflowReader.read(request.definition())) {
            case ReadResult.Accepted<Workflow> accepted -> accepted;
            case ReadResult.Refused<Workflow> refused -> throw refusal(refused.problems());
        };
    }

    private static List<Finding> findings(ReadResult.Accepted<Workflow> read) {
        return read.findings().stream()
                .map(found -> new Finding(
                        found.message(),
                        null,
                        null,
                        found.path(),
                        found.position().line(),
                        found.position().column()))
                .toList();
    }

    private static RefusedRequest refusal(List<ReadProblem> refusals) {
        List<Finding> findings = refusals.stream()
                .map(refusal -> new Finding(
                        refusal.message(),
                        null,
                        null,
                        refusal.path(),
                        refusal.position().line(),
                        refusal.position().column()))
                .toList();
        String more = refusals.size() == 1 ? "" : " (and " + (refusals.size() - 1) + " more, see errors)";
        return RefusedRequest.of(Problem.Kind.INVALID_REQUEST, refusals.getFirst() + more, findings);
    }

    private Response get(Request request) {
        request.allowQueries("version");
        String name = request.path("workflow");
        int version = request.intQuery("version", 0, 1, VERSION_MAX);
        return engine.weir()
                .records()
                .findWorkflow(request.org(), name, version == 0 ? null : version)
                .map(found -> Response.ok(new WorkflowView(
                        found.name(), found.version(), found.hash(), found.definition(), found.registeredAt())))
                .orElseThrow(
                        () -> RefusedRequest.notFound("workflow", name + (version == 0 ? "" : " version " + version)));
    }

    private Response putAvailability(Request request) throws Exception {
        AvailabilityRequest body = request.allowQueries().body(AvailabilityRequest.class);
        WorkflowAvailability availability = Arrays.stream(WorkflowAvailability.values())
                .filter(each -> each.word().equals(body.availability()))
                .findFirst()
                .orElseThrow(() -> RefusedRequest.invalid(
                        "/availability", "open, paused or archived", "'" + body.availability() + "'"));
        String name = request.path("workflow");
        if (!engine.send(request, new SetWorkflowAvailability(name, availability), body.reason())) {
            throw RefusedRequest.notFound("workflow", name);
        }
        return Response.ok(new AvailabilityView(name, availability.word()));
    }

    /** Returns the workflows that are not open. */
    private Map<String, WorkflowAvailability> stopped(Request request) throws Exception {
        return engine.query(
                request.org(),
                (organisation, now) -> organisation.view().stops().workflows());
    }

    private Response list(Request request) throws Exception {
        request.allowQueries("cursor", "limit", "archived");
        boolean withArchived = request.query("archived").orElse("false").equals("true");
        Map<String, WorkflowAvailability> stopped = stopped(request);
        var page = PageParameters.page(
                request, pageRequest -> engine.weir().records().workflows(request.org(), pageRequest));
        var entries = page.entries().stream()
                .filter(found -> withArchived || stopped.get(found.name()) != WorkflowAvailability.ARCHIVED)
                .map(found -> new WorkflowSummary(
                        found.name(),
                        found.version(),
                        found.registeredAt(),
                        stopped.getOrDefault(found.name(), WorkflowAvailability.OPEN)
                                .word()))
                .toList();
        return Response.ok(new WorkflowPage(entries, WireWords.orNull(page.next())));
    }
}
