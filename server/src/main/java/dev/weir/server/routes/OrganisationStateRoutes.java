package dev.weir.server.routes;

import dev.weir.api.Organisations;
import dev.weir.api.Organisations.EvaluateRequest;
import dev.weir.api.Organisations.QuotaRequest;
import dev.weir.api.Problem;
import dev.weir.core.definition.Workflow;
import dev.weir.core.explain.OrganisationQueries;
import dev.weir.core.explain.StartEvaluation;
import dev.weir.core.explain.StartQuestion;
import dev.weir.core.expression.RenderFailed;
import dev.weir.core.expression.UnitCounter;
import dev.weir.core.limit.LimitId;
import dev.weir.core.plan.LimitNeeds;
import dev.weir.core.plan.Plan;
import dev.weir.core.plan.RunNeeds;
import dev.weir.core.reading.WorkflowReader;
import dev.weir.core.state.Permission;
import dev.weir.engine.records.AccountStore;
import dev.weir.engine.records.QuotaChange;
import dev.weir.engine.records.Records;
import dev.weir.engine.records.WorkflowRecord;
import dev.weir.server.http.RefusedRequest;
import dev.weir.server.http.Request;
import dev.weir.server.http.Response;
import dev.weir.server.http.Routing;
import dev.weir.server.http.Routing.Method;
import dev.weir.server.view.LimitViews;
import java.time.ZoneId;
import java.util.Optional;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** The routes about an organisation as a whole: evaluation of a start, snapshot, quota, and the login of a reader. */
final class OrganisationStateRoutes {
    private final EngineGateway engine;
    private final OrganisationPorts organisations;

    OrganisationStateRoutes(EngineGateway engine, OrganisationPorts organisations) {
        this.engine = engine;
        this.organisations = organisations;
    }

    void add(Routing routing) {
        routing.route(Method.POST, "/v1/org/evaluate", Permission.READ, this::evaluate);
        routing.route(Method.GET, "/v1/org/snapshot", Permission.READ, this::snapshot);
        routing.route(Method.GET, "/v1/org/quota", Permission.READ, request -> quota(request, request.org()));
        routing.route(
                Method.PUT, "/v1/org/quota", Permission.ADMINISTER, request -> changeQuota(request, request::org));
        String one = "/v1/organisations/{organisation}";
        routing.route(Method.GET, one + "/quota", Permission.ADMINISTER, request -> quota(request, find(request)));
        routing.route(
                Method.PUT,
                one + "/quota",
                Permission.ADMINISTER,
                request -> changeQuota(request, () -> find(request)));
        routing.route(Method.POST, one + "/reader", Permission.ADMINISTER, this::createReader);
    }

    /** Returns the name of the organisation in the path. */
    private String find(Request request) {
        String name = request.path("organisation");
        return organisations
                .store()
                .findOrganisation(name)
                .orElseThrow(() -> RefusedRequest.notFound("organisation", name))
                .name();
    }

    private Records records() {
        return engine.weir().records();
    }

    private Response evaluate(Request request) throws Exception {
        EvaluateRequest body = request.allowQueries().body(EvaluateRequest.class);
        if (body.organizationId() != null && !body.organizationId().equals(request.org())) {
            throw RefusedRequest.notFound("organisation", body.organizationId());
        }
        WorkflowRecord found = records()
                .findWorkflow(request.org(), body.workflow(), null)
                .orElseThrow(() -> RefusedRequest.notFound("workflow", body.workflow()));
        Workflow workflow =
                WorkflowReader.readStored(found.definition().toString()).orThrow();
        checkTrigger(workflow, body);
        var question = new StartQuestion(workflow, needs(workflow, body), depth(request, body));
        StartEvaluation evaluation = engine.query(
                request.org(),
                (organisation, now) ->
                        new OrganisationQueries(organisation, now).evaluate(question, request.requestId()));
        return Response.ok(LimitViews.evaluation(evaluation));
    }

    private static void checkTrigger(Workflow workflow, EvaluateRequest body) {
        String trigger = body.trigger();
        if (trigger != null
                && workflow.triggers().stream().noneMatch(one -> one.id().equals(trigger))) {
            throw RefusedRequest.notFound("trigger of workflow " + workflow.name(), trigger);
        }
    }

    /** Returns what the run would take. Its run key is given, or rendered from the input. */
    private static LimitNeeds needs(Workflow workflow, EvaluateRequest body) {
        Plan plan = Plan.of(workflow);
        int priority = workflow.policy().priority();
        if (body.runKey() != null) {
            if (workflow.limits().perKey() == null) {
                throw RefusedRequest.invalid(
                        "/run_key", "no run key, because workflow " + workflow.name() + " defines none", "a run key");
            }
            return RunNeeds.ofKey(plan, body.runKey(), priority);
        }
        JsonNode input = body.input() == null ? JsonNodeFactory.instance.objectNode() : body.input();
        try {
            return RunNeeds.of(plan, "evaluated", input, priority, new UnitCounter());
        } catch (RenderFailed e) {
            throw RefusedRequest.of(Problem.Kind.REFUSED, e.getMessage() + "; give run_key, or the input of the run");
        }
    }

    /**
     * Returns the number of runs and events before the run: one more than before the run that led to it. A correlation
     * id that is no run's, such as an event's, is that of a chain that begins.
     */
    private int depth(Request request, EvaluateRequest body) {
        if (body.parent() != null) {
            return engine.run(request.org(), body.parent()).lineage().depth() + 1;
        }
        return Optional.ofNullable(body.correlationId())
                .flatMap(first -> records().findRun(request.org(), first))
                .map(first -> first.lineage().depth() + 1)
                .orElse(0);
    }

    private Response snapshot(Request request) throws Exception {
        String org = request.allowQueries().org();
        var limits = engine.query(
                org,
                (organisation, now) -> new OrganisationQueries(organisation, now).runLimits(new LimitId.OrgRuns()));
        return Response.ok(LimitViews.snapshot(
                limits,
                records().accounts().counts(org),
                engine.weir().activity().startsPerSecond(org)));
    }

    private Response quota(Request request, String org) {
        checkResource(
                request.allowQueries("resource_type").query("resource_type").orElse(null));
        return Response.ok(LimitViews.quota(records().accounts().quota(org)));
    }

    private static void checkResource(@org.jspecify.annotations.Nullable String resource) {
        if (resource != null && !resource.equals(Organisations.WORKFLOW_EXECUTIONS)) {
            throw RefusedRequest.invalid("?resource_type", Organisations.WORKFLOW_EXECUTIONS, "'" + resource + "'");
        }
    }

    private Response changeQuota(Request request, Supplier<String> org) {
        QuotaRequest body = request.allowQueries().body(QuotaRequest.class);
        String zone = body.timeZone();
        if (zone != null && !ZoneId.getAvailableZoneIds().contains(zone)) {
            throw RefusedRequest.invalid("/time_zone", "a time zone such as Europe/Berlin or UTC", "'" + zone + "'");
        }
        var change = new QuotaChange(body.limit(), zone);
        return Response.ok(LimitViews.quota(
                records().accounts().changeQuota(org.get(), change, request.attribution(body.reason()))));
    }

    private Response createReader(Request request) {
        String org = find(request.allowQueries());
        try {
            var login = records().accounts().createReader(org, request.attribution());
            return Response.ok(new Organisations.Reader(org, login.login(), login.password(), login.database()));
        } catch (AccountStore.LoginRefused e) {
            throw RefusedRequest.of(Problem.Kind.REFUSED, String.valueOf(e.getMessage()));
        }
    }
}
