package dev.weir.server.routes;

import dev.weir.api.Limits.RunLimitsPage;
import dev.weir.api.Limits.RunLimitsRequest;
import dev.weir.api.Limits.RunLimitsView;
import dev.weir.api.Problem;
import dev.weir.core.command.ConfigureRunLimits;
import dev.weir.core.command.ConfigureRunLimits.Answer;
import dev.weir.core.explain.OrganisationQueries;
import dev.weir.core.explain.RunLimitSnapshot;
import dev.weir.core.limit.FieldChange;
import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.RunLimitConfig;
import dev.weir.core.state.Permission;
import dev.weir.engine.records.RecordPage;
import dev.weir.engine.records.WorkflowRecord;
import dev.weir.server.http.RefusedRequest;
import dev.weir.server.http.Request;
import dev.weir.server.http.Response;
import dev.weir.server.http.Routing;
import dev.weir.server.http.Routing.Method;
import dev.weir.server.view.LimitViews;
import dev.weir.server.view.WireWords;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

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
        routing.route(Method.GET, "/v1/limits", Permission.READ, this::list);
        routing.route(Method.GET, "/v1/org/limits", Permission.READ, request -> get(request, organisation(request)));
        routing.route(
                Method.PATCH,
                "/v1/org/limits",
                Permission.MANAGE_LIMITS,
                request -> patch(request, () -> organisation(request)));
        routing.route(
                Method.GET,
                "/v1/workflows/{workflow}/limits",
                Permission.READ,
                request -> get(request, workflow(request)));
        routing.route(
                Method.PATCH,
                "/v1/workflows/{workflow}/limits",
                Permission.MANAGE_LIMITS,
                request -> patch(request, () -> workflow(request)));
    }

    /**
     * The owner of limits.
     *
     * @param workflow the newest version of the workflow; null for the organisation
     */
    private record Target(LimitId.Runs limit, @Nullable WorkflowRecord workflow) {}

    private static String describe(LimitId.Runs limit) {
        return switch (limit) {
            case LimitId.OrgRuns ignored -> "the organisation";
            case LimitId.WorkflowRuns runs -> "workflow " + runs.workflow();
            case LimitId.RunKey key -> "run key " + key.key() + " of workflow " + key.workflow();
        };
    }

    private static Target organisation(Request request) {
        var unused = request.allowQueries();
        return new Target(new LimitId.OrgRuns(), null);
    }

    private Target workflow(Request request) {
        Optional<String> runKey = request.allowQueries(RUN_KEY).query(RUN_KEY);
        String name = request.path("workflow");
        WorkflowRecord found = findWorkflow(request, name);
        LimitId.Runs limit = runKey.isPresent()
                ? new LimitId.RunKey(found.name(), runKey.get())
                : new LimitId.WorkflowRuns(found.name());
        return new Target(limit, found);
    }

    /** Lists the limits of all workflows, or of the configured run keys of one. */
    private Response list(Request request) throws Exception {
        Optional<String> workflow =
                request.allowQueries("workflow", "cursor", "limit").query("workflow");
        return workflow.isPresent() ? listRunKeys(request, workflow.get()) : listWorkflows(request);
    }

    private Response listWorkflows(Request request) throws Exception {
        RecordPage<WorkflowRecord> page =
                PageParameters.page(request, asked -> engine.weir().records().workflows(request.org(), asked));
        List<RunLimitSnapshot> snapshots = engine.query(request.org(), (organisation, now) -> {
            var queries = new OrganisationQueries(organisation, now);
            return page.entries().stream()
                    .map(found -> queries.runLimits(new LimitId.WorkflowRuns(found.name())))
                    .toList();
        });
        List<RunLimitsView> views = new ArrayList<>();
        for (int i = 0; i < snapshots.size(); i++) {
            WorkflowRecord found = findWorkflow(request, page.entries().get(i).name());
            JsonNode defined = found.definition().path("limits");
            views.add(LimitViews.ofWorkflow(found.name(), defined, snapshots.get(i), null));
        }
        return Response.ok(new RunLimitsPage(views, WireWords.orNull(page.next())));
    }

    private Response listRunKeys(Request request, String workflow) throws Exception {
        WorkflowRecord found = findWorkflow(request, workflow);
        int limit = PageParameters.limit(request);
        String after = request.query("cursor").orElse("");
        List<String> keys = engine.query(
                request.org(),
                (organisation, now) -> organisation.view().configuredRunKeys(workflow, after, limit + 1));
        List<LimitId.RunKey> shown = keys.stream()
                .limit(limit)
                .map(key -> new LimitId.RunKey(workflow, key))
                .toList();
        List<RunLimitSnapshot> snapshots = engine.query(request.org(), (organisation, now) -> {
            var queries = new OrganisationQueries(organisation, now);
            return shown.stream().map(queries::runLimits).toList();
        });
        JsonNode defined = found.definition().path("limits");
        List<RunLimitsView> views = new ArrayList<>();
        for (int i = 0; i < shown.size(); i++) {
            views.add(LimitViews.ofRunKey(shown.get(i), defined, snapshots.get(i), null));
        }
        return Response.ok(new RunLimitsPage(views, keys.size() > limit ? keys.get(limit - 1) : null));
    }

    private WorkflowRecord findWorkflow(Request request, String name) {
        return engine.weir()
                .records()
                .findWorkflow(request.org(), name, null)
                .orElseThrow(() -> RefusedRequest.notFound("workflow", name));
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

    private static JsonNode definedLimits(Target target) {
        WorkflowRecord workflow = target.workflow;
        if (workflow == null) {
            throw new IllegalStateException("expected a workflow for " + target.limit.text() + ", found none");
        }
        return workflow.definition().path("limits");
    }

    private Response patch(Request request, Supplier<Target> targetOf) throws Exception {
        RunLimitsRequest body = request.body(RunLimitsRequest.class);
        body.requireValues();
        Target target = targetOf.get();
        Long ifVersion = ifVersion(request);
        var command = new ConfigureRunLimits(target.limit, values(engine, request, body), ifVersion);
        RunLimitConfig config = requireConfigured(engine.send(request, command, body.reason()), command);
        LOG.info(
                "Organisation {}: limits of {} changed, version {}; reason: {}",
                request.org(),
                KeyRoutes.toSingleLine(describe(target.limit)),
                config.change().version(),
                body.reason() == null ? "not given" : KeyRoutes.toSingleLine(body.reason()));
        return respond(request, target, warning(target, command.values()));
    }

    /** Returns the configuration after a change, or refuses it for the reason of the answer. */
    static RunLimitConfig requireConfigured(Answer answer, ConfigureRunLimits command) {
        String owner = describe(command.limit());
        return switch (answer) {
            case Answer.Configured configured -> configured.config();
            case Answer.OtherVersion other ->
                throw RefusedRequest.of(
                        Problem.Kind.PRECONDITION_FAILED,
                        "expected version " + command.ifVersion() + " of the limits of " + owner + ", found version "
                                + other.version() + "; read them again before you change them");
            case Answer.NotFound ignored -> throw RefusedRequest.notFound("workflow", workflowOf(command.limit()));
            case Answer.NoSuchValue missing ->
                throw RefusedRequest.invalid("/" + missing.field(), "no such limit for " + owner, "a value");
            case Answer.TooManyRunKeys ignored ->
                throw RefusedRequest.of(
                        Problem.Kind.REFUSED,
                        "expected at most " + ConfigureRunLimits.RUN_KEYS_MAX
                                + " run keys with limits of their own, found as many");
        };
    }

    private static String workflowOf(LimitId.Runs limit) {
        return switch (limit) {
            case LimitId.OrgRuns ignored -> "";
            case LimitId.WorkflowRuns runs -> runs.workflow();
            case LimitId.RunKey key -> key.workflow();
        };
    }

    static ConfigureRunLimits.Values values(EngineGateway engine, Request request, RunLimitsRequest body)
            throws ExecutionException, TimeoutException, InterruptedException {
        return new ConfigureRunLimits.Values(
                MergeFields.count(body.maxConcurrentRuns()),
                MergeFields.count(body.runsPerMinute()),
                MergeFields.count(body.maxConcurrentRunsPerKey()),
                MergeFields.count(body.maxCascadeDepth()),
                MergeFields.count(body.maxQueuedRuns()),
                MergeFields.duration("/default_debounce", body.defaultDebounce()),
                new ConfigureRunLimits.Notices(
                        MergeFields.duration("/notice_oldest_waiter", body.noticeOldestWaiter()),
                        MergeFields.count(body.noticeDeadLetters())),
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
