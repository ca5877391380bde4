package dev.weir.server.routes;

import dev.weir.api.Problem;
import dev.weir.api.Problem.Finding;
import dev.weir.api.Workflows.Applied;
import dev.weir.api.Workflows.Valid;
import dev.weir.api.Workflows.WorkflowPage;
import dev.weir.api.Workflows.WorkflowSummary;
import dev.weir.api.Workflows.WorkflowView;
import dev.weir.core.definition.Workflow;
import dev.weir.core.life.RegisterWorkflow;
import dev.weir.core.reading.Reading;
import dev.weir.core.reading.Refusal;
import dev.weir.core.reading.WorkflowReader;
import dev.weir.server.http.Answer;
import dev.weir.server.http.Refused;
import dev.weir.server.http.Request;
import dev.weir.server.http.Routing;
import dev.weir.server.http.Routing.Method;
import dev.weir.server.view.Words;
import java.util.List;

/** Workflows: registered, looked at, checked. */
final class WorkflowRoutes {
    private static final int VERSION_MAX = 1_000_000_000;

    private final Engine engine;

    WorkflowRoutes(Engine engine) {
        this.engine = engine;
    }

    void add(Routing routing) {
        routing.on(Method.GET, "/v1/workflows", this::list);
        routing.on(Method.POST, "/v1/workflows/validate", this::validate);
        routing.on(Method.GET, "/v1/workflows/{workflow}", this::get);
        routing.on(Method.PUT, "/v1/workflows/{workflow}", this::put);
    }

    private Answer put(Request request) throws Exception {
        Workflow workflow = read(request.allow());
        String name = request.path("workflow");
        if (!workflow.name().equals(name)) {
            throw Refused.invalid("/workflow", "'" + name + "' as in the path", "'" + workflow.name() + "'");
        }
        return switch (engine.send(request.org(), new RegisterWorkflow(workflow))) {
            case RegisterWorkflow.Answer.Registered made ->
                Answer.created(new Applied(name, made.version(), true), "/v1/workflows/" + name);
            case RegisterWorkflow.Answer.Unchanged same -> Answer.ok(new Applied(name, same.version(), false));
        };
    }

    private Answer validate(Request request) {
        Workflow workflow = read(request.allow());
        return Answer.ok(new Valid(workflow.name(), workflow.steps().size()));
    }

    private static Workflow read(Request request) {
        return accepted(WorkflowReader.read(request.definition()));
    }

    static <T> T accepted(Reading<T> reading) {
        return switch (reading) {
            case Reading.Accepted<T> accepted -> accepted.value();
            case Reading.Refused<T> refused -> throw refused(refused.refusals());
        };
    }

    private static Refused refused(List<Refusal> refusals) {
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
        return Refused.of(Problem.Kind.INVALID_REQUEST, refusals.getFirst() + more, findings);
    }

    private Answer get(Request request) {
        request.allow("version");
        String name = request.path("workflow");
        int version = request.wholeNumber("version", 0, 1, VERSION_MAX);
        return engine.weir()
                .records()
                .findWorkflow(request.org(), name, version == 0 ? null : version)
                .map(found -> Answer.ok(new WorkflowView(
                        found.name(), found.version(), found.hash(), found.definition(), found.registeredAt())))
                .orElseThrow(() -> Refused.notFound("workflow", name + (version == 0 ? "" : " version " + version)));
    }

    private Answer list(Request request) {
        request.allow("cursor", "limit");
        var page = Paging.page(request, asked -> engine.weir().records().workflows(request.org(), asked));
        var entries = page.entries().stream()
                .map(found -> new WorkflowSummary(found.name(), found.version(), found.registeredAt()))
                .toList();
        return Answer.ok(new WorkflowPage(entries, Words.orNull(page.next())));
    }
}
