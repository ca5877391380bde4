package dev.weir.server.routes;

import dev.weir.api.Limits.RunLimitsRequest;
import dev.weir.api.Limits.RunLimitsView;
import dev.weir.api.Problem;
import dev.weir.core.command.ConfigureRunLimits;
import dev.weir.core.explain.OrganisationQueries;
import dev.weir.core.explain.OrganisationQueries.RunLimitSnapshot;
import dev.weir.core.limit.FieldChange;
import dev.weir.core.state.Permission;
import dev.weir.engine.records.WorkflowRecord;
import dev.weir.server.http.RefusedRequest;
import dev.weir.server.http.Request;
import dev.weir.server.http.Response;
import dev.weir.server.http.Routing;
import dev.weir.server.http.Routing.Method;
import dev.weir.server.view.LimitViews;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The routes that show and change the limits on runs of a workflow. */
final class WorkflowLimitRoutes {
    private static final Logger LOG = LoggerFactory.getLogger(WorkflowLimitRoutes.class);
    private static final String IF_MATCH = "If-Match";
    private static final Pattern VERSION = Pattern.compile("\"?([0-9]{1,18})\"?");

    private final EngineGateway engine;

    WorkflowLimitRoutes(EngineGateway engine) {
        this.engine = engine;
    }

    void add(Routing routing) {
        routing.route(Method.GET, "/v1/workflows/{workflow}/limits", Permission.READ, this::get);
        routing.route(Method.PATCH, "/v1/workflows/{workflow}/limits", Permission.MANAGE_LIMITS, this::patch);
    }

    private WorkflowRecord workflow(Request request) {
        String name = request.path("workflow");
        return engine.weir()
                .records()
                .findWorkflow(request.org(), name, null)
                .orElseThrow(() -> RefusedRequest.notFound("workflow", name));
    }

    private Response get(Request request) throws Exception {
        WorkflowRecord workflow = workflow(request.allowQueries());
        return respond(request, workflow, null);
    }

    private Response respond(Request request, WorkflowRecord workflow, @Nullable String warning) throws Exception {
        RunLimitSnapshot snapshot = engine.query(
                request.org(),
                (organisation, now) -> new OrganisationQueries(organisation, now).runLimits(workflow.name()));
        RunLimitsView view = LimitViews.runLimits(workflow, snapshot, warning);
        return new Response(200, view, Map.of("ETag", "\"" + view.version() + "\""));
    }

    private Response patch(Request request) throws Exception {
        RunLimitsRequest body = request.allowQueries().body(RunLimitsRequest.class);
        Long ifVersion = ifVersion(request);
        WorkflowRecord workflow = workflow(request);
        var values = new ConfigureRunLimits.Values(
                MergeFields.count(body.maxConcurrentRuns()),
                MergeFields.count(body.runsPerMinute()),
                MergeFields.count(body.maxConcurrentRunsPerKey()),
                MergeFields.count(body.maxCascadeDepth()),
                new ConfigureRunLimits.Note(request.attribution().actor(), body.reason()),
                engine.until(request.org(), body.forTime()));
        return switch (engine.send(
                request, new ConfigureRunLimits(workflow.name(), values, ifVersion), body.reason())) {
            case ConfigureRunLimits.Answer.Configured configured -> {
                LOG.info(
                        "Organisation {}: limits of workflow {} changed, version {}; reason: {}",
                        request.org(),
                        KeyRoutes.toSingleLine(workflow.name()),
                        configured.config().change().version(),
                        body.reason() == null ? "not given" : KeyRoutes.toSingleLine(body.reason()));
                yield respond(request, workflow, warning(workflow, values));
            }
            case ConfigureRunLimits.Answer.OtherVersion other ->
                throw RefusedRequest.of(
                        Problem.Kind.PRECONDITION_FAILED,
                        "expected version " + ifVersion + " of the limits of workflow " + workflow.name()
                                + ", found version " + other.version() + "; read them again before you change them");
            case ConfigureRunLimits.Answer.NotFound ignored ->
                throw RefusedRequest.notFound("workflow", workflow.name());
        };
    }

    /** Returns the version that the caller wants to change; null if any. */
    private static @Nullable Long ifVersion(Request request) {
        String given = request.header(IF_MATCH).orElse("*").strip();
        if (given.equals("*")) {
            return null;
        }
        Matcher version = VERSION.matcher(given);
        if (!version.matches()) {
            throw RefusedRequest.invalid(IF_MATCH, "a version such as \"3\", or *", "'" + given + "'");
        }
        return Long.valueOf(version.group(1));
    }

    /** Returns a warning if the newest definition has no run key to which the value could apply. */
    private static @Nullable String warning(WorkflowRecord workflow, ConfigureRunLimits.Values values) {
        boolean setsPerKey = values.maxConcurrentRunsPerKey() instanceof FieldChange.Replace<Integer>;
        boolean hasKey = workflow.definition().at("/limits/run_key").isString();
        return setsPerKey && !hasKey
                ? "max_concurrent_runs_per_key has no effect on runs of version " + workflow.version()
                        + ", because it defines no run_key"
                : null;
    }
}
