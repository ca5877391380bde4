package dev.weir.server.routes;

import dev.weir.api.Limits.RunLimitsRequest;
import dev.weir.api.Limits.RunLimitsView;
import dev.weir.api.Problem;
import dev.weir.core.command.ConfigureRunLimits;
import dev.weir.core.command.ConfigureRunLimits.Answer;
import dev.weir.core.explain.OrganisationQueries;
import dev.weir.core.explain.OrganisationQueries.RunLimitSnapshot;
import dev.weir.core.limit.FieldChange;
import dev.weir.core.limit.LimitId;
import dev.weir.core.state.Permission;
import dev.weir.engine.records.WorkflowRecord;
import dev.weir.server.http.RefusedRequest;
import dev.weir.server.http.Request;
import dev.weir.server.http.Response;
import dev.weir.server.http.Routing;
import dev.weir.server.http.Routing.Method;
import dev.weir.server.view.LimitViews;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The routes that show and change the limits on runs of the organisation, of a workflow, and of one run key. */
final class RunLimitRoutes {
    private static final Logger LOG = LoggerFactory.getLogger(RunLimitRoutes.class);
    private static final String IF_MATCH = "If-Match";
    private static final String RUN_KEY = "run_key";
    private static final Pattern VERSION = Pattern.compile("\"?([0-9]{1,18})\"?");

    private final EngineGateway engine;

    RunLimitRoutes(EngineGateway engine) {
        this.engine = engine;
    }

    void add(Routing routing) {
        routing.route(Method.GET, "/v1/org/limits", Permission.READ, request -> get(request, organisation(request)));
        routing.route(
                Method.PATCH,
                "/v1/org/limits",
                Permission.MANAGE_LIMITS,
                request -> patch(request, organisation(request)));
        routing.route(
                Method.GET,
                "/v1/workflows/{workflow}/limits",
                Permission.READ,
                request -> get(request, workflow(request)));
        routing.route(
                Method.PATCH,
                "/v1/workflows/{workflow}/limits",
                Permission.MANAGE_LIMITS,
                request -> patch(request, workflow(request)));
    }

    /**
     * The owner of limits.
     *
     * @param workflow the newest version of the workflow; null for the organisation
     */
    private record Target(LimitId.Runs limit, @Nullable WorkflowRecord workflow) {
        String describe() {
            return switch (limit) {
                case LimitId.OrgRuns ignored -> "the organisation";
                case LimitId.WorkflowRuns runs -> "workflow " + runs.workflow();
                case LimitId.RunKey key -> "run key " + key.key() + " of workflow " + key.workflow();
            };
        }
    }

    private static Target organisation(Request request) {
        var unused = request.allowQueries();
        return new Target(new LimitId.OrgRuns(), null);
    }

    private Target workflow(Request request) {
        Optional<String> runKey = request.allowQueries(RUN_KEY).query(RUN_KEY);
        String name = request.path("workflow");
        WorkflowRecord found = engine.weir()
                .records()
                .findWorkflow(request.org(), name, null)
                .orElseThrow(() -> RefusedRequest.notFound("workflow", name));
        LimitId.Runs limit = runKey.isPresent()
                ? new LimitId.RunKey(found.name(), runKey.get())
                : new LimitId.WorkflowRuns(found.name());
        return new Target(limit, found);
    }

    private Response get(Request request, Target target) throws Exception {
        return respond(request, target, null);
    }

    private Response respond(Request request, Target target, @Nullable String warning) throws Exception {
        RunLimitSnapshot snapshot = engine.query(
                request.org(),
                (organisation, now) -> new OrganisationQueries(organisation, now).runLimits(target.limit));
        RunLimitsView view = switch (target.limit) {
            case LimitId.OrgRuns ignored ->
                LimitViews.ofOrganisation(
                        snapshot, engine.weir().records().accounts().quota(request.org()));
            case LimitId.WorkflowRuns runs ->
                LimitViews.ofWorkflow(runs.workflow(), definedLimits(target), snapshot, warning);
            case LimitId.RunKey key -> LimitViews.ofRunKey(key, definedLimits(target), snapshot, warning);
        };
        return new Response(200, view, Map.of("ETag", "\"" + view.version() + "\""));
    }

    private static tools.jackson.databind.JsonNode definedLimits(Target target) {
        WorkflowRecord workflow = target.workflow;
        if (workflow == null) {
            throw new IllegalStateException("expected a workflow for " + target.limit.text() + ", found none");
        }
        return workflow.definition().path("limits");
    }

    private Response patch(Request request, Target target) throws Exception {
        RunLimitsRequest body = request.body(RunLimitsRequest.class);
        body.requireValues();
        Long ifVersion = ifVersion(request);
        ConfigureRunLimits.Values values = values(request, body);
        return switch (engine.send(request, new ConfigureRunLimits(target.limit, values, ifVersion), body.reason())) {
            case Answer.Configured configured -> {
                LOG.info(
                        "Organisation {}: limits of {} changed, version {}; reason: {}",
                        request.org(),
                        KeyRoutes.toSingleLine(target.describe()),
                        configured.config().change().version(),
                        body.reason() == null ? "not given" : KeyRoutes.toSingleLine(body.reason()));
                yield respond(request, target, warning(target, values));
            }
            case Answer.OtherVersion other ->
                throw RefusedRequest.of(
                        Problem.Kind.PRECONDITION_FAILED,
                        "expected version " + ifVersion + " of the limits of " + target.describe() + ", found version "
                                + other.version() + "; read them again before you change them");
            case Answer.NotFound ignored -> throw RefusedRequest.notFound("workflow", request.path("workflow"));
            case Answer.NoSuchValue missing ->
                throw RefusedRequest.invalid(
                        "/" + missing.field(), "no such limit for " + target.describe(), "a value");
            case Answer.TooManyRunKeys ignored ->
                throw RefusedRequest.of(
                        Problem.Kind.REFUSED,
                        "expected at most " + ConfigureRunLimits.RUN_KEYS_MAX
                                + " run keys with limits of their own, found as many");
        };
    }

    private ConfigureRunLimits.Values values(Request request, RunLimitsRequest body) throws Exception {
        return new ConfigureRunLimits.Values(
                MergeFields.count(body.maxConcurrentRuns()),
                MergeFields.count(body.runsPerMinute()),
                MergeFields.count(body.maxConcurrentRunsPerKey()),
                MergeFields.count(body.maxCascadeDepth()),
                MergeFields.count(body.maxQueuedRuns()),
                MergeFields.debounce(body.defaultDebounce()),
                new ConfigureRunLimits.Note(request.attribution().actor(), body.reason()),
                engine.until(request.org(), body.forTime()));
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

    /** Returns a warning if the newest definition has no run key to which the values could apply. */
    private static @Nullable String warning(Target target, ConfigureRunLimits.Values values) {
        boolean setsPerKey = target.limit instanceof LimitId.RunKey
                || values.maxConcurrentRunsPerKey() instanceof FieldChange.Replace<Integer>;
        boolean hasKey = target.workflow == null
                || target.workflow.definition().at("/limits/run_key").isString();
        if (!setsPerKey || hasKey || target.workflow == null) {
            return null;
        }
        String what = target.limit instanceof LimitId.RunKey ? "a run key" : "max_concurrent_runs_per_key";
        return what + " has no effect on runs of version " + target.workflow.version()
                + ", because it defines no run_key";
    }
}
