package dev.weir.server.routes;

import dev.weir.api.Problem;
import dev.weir.api.Runs.CancelRequest;
import dev.weir.api.Runs.OverrideRequest;
import dev.weir.api.Runs.RunAction;
import dev.weir.api.Runs.RunPage;
import dev.weir.api.Why.WhyAnswer;
import dev.weir.core.command.CancelRun;
import dev.weir.core.command.OverrideRun;
import dev.weir.core.command.PauseRun;
import dev.weir.core.command.ResumeRun;
import dev.weir.core.command.WithState;
import dev.weir.core.definition.CancelPolicy;
import dev.weir.core.definition.Step;
import dev.weir.core.explain.OrganisationQueries;
import dev.weir.core.explain.WaitReason;
import dev.weir.core.limit.FieldChange;
import dev.weir.core.state.Permission;
import dev.weir.core.state.RunState;
import dev.weir.engine.records.RunFilter;
import dev.weir.engine.records.RunRecord;
import dev.weir.engine.request.WorkerPort;
import dev.weir.server.http.RefusedRequest;
import dev.weir.server.http.Request;
import dev.weir.server.http.Response;
import dev.weir.server.http.Routing;
import dev.weir.server.http.Routing.Method;
import dev.weir.server.view.ReasonViews;
import dev.weir.server.view.RunViews;
import dev.weir.server.view.TimeViews;
import dev.weir.server.view.WireWords;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The routes that list, show, pause, resume, cancel and override runs. */
final class RunRoutes {
    private static final Logger LOG = LoggerFactory.getLogger(RunRoutes.class);

    private final EngineGateway engine;

    RunRoutes(EngineGateway engine) {
        this.engine = engine;
    }

    void add(Routing routing) {
        routing.route(Method.GET, "/v1/runs", Permission.READ, this::list);
        routing.route(Method.GET, "/v1/runs/{run}", Permission.READ, this::get);
        routing.route(Method.GET, "/v1/runs/{run}/why", Permission.READ, this::why);
        routing.route(Method.GET, "/v1/runs/{run}/time", Permission.READ, this::time);
        routing.route(Method.POST, "/v1/runs/{run}/cancel", Permission.OPERATE, this::cancel);
        routing.route(Method.POST, "/v1/runs/{run}/pause", Permission.OPERATE, this::pause);
        routing.route(Method.POST, "/v1/runs/{run}/resume", Permission.OPERATE, this::resume);
        routing.route(Method.PUT, "/v1/runs/{run}/overrides", Permission.OPERATE, request -> override(request, true));
        routing.route(
                Method.PATCH, "/v1/runs/{run}/overrides", Permission.OPERATE, request -> override(request, false));
    }

    private Response list(Request request) throws Exception {
        request.allowQueries(
                "state",
                "workflow",
                "key",
                "label",
                "correlation_id",
                "id",
                "started_by",
                "progress",
                "cursor",
                "limit");
        Set<RunState> states = EnumSet.noneOf(RunState.class);
        for (String value : request.queries("state")) {
            for (String word : value.split(",", -1)) {
                states.add(state(word));
            }
        }
        var filter = new RunFilter(
                states,
                request.query("workflow").orElse(null),
                labels(request),
                request.query("key").orElse(null),
                request.query("correlation_id").orElse(null),
                new RunFilter.Origin(
                        request.query("id").orElse(null),
                        request.query("started_by").orElse(null)));
        var page = PageParameters.page(
                request, pageRequest -> engine.weir().records().runs(request.org(), filter, pageRequest));
        boolean withProgress = request.booleanQuery("progress", false);
        var runs = withProgress
                ? new RunProgressReader(engine).read(request.org(), page.entries())
                : page.entries().stream().map(RunViews::summary).toList();
        return Response.ok(new RunPage(runs, WireWords.orNull(page.next())));
    }

    private static RunState state(String word) {
        return Arrays.stream(RunState.values())
                .filter(state -> WireWords.of(state).equals(word))
                .findFirst()
                .orElseThrow(() -> RefusedRequest.invalid(
                        "?state",
                        "one of "
                                + String.join(
                                        ", ",
                                        Arrays.stream(RunState.values())
                                                .map(WireWords::of)
                                                .toList()),
                        "'" + word + "'"));
    }

    private static Map<String, String> labels(Request request) {
        Map<String, String> labels = new TreeMap<>();
        for (String label : request.queries("label")) {
            int at = label.indexOf('=');
            if (at < 1) {
                throw RefusedRequest.invalid("?label", "name=value", "'" + label + "'");
            }
            labels.put(label.substring(0, at), label.substring(at + 1));
        }
        return labels;
    }

    private RunRecord findRun(Request request) {
        return engine.run(request.org(), request.path("run"));
    }

    private Response get(Request request) throws Exception {
        request.allowQueries("wait");
        RunRecord run = request.query("wait").isPresent() ? awaitEnd(request) : findRun(request);
        var live = run.state().ended() ? null : findLive(request.org(), run.run());
        var steps = engine.weir().records().steps(request.org(), run.run());
        return Response.ok(RunViews.run(run, steps, live));
    }

    /** Returns the run when it has ended, or as it is after the time that the request waits. */
    private RunRecord awaitEnd(Request request) throws Exception {
        String text = request.query("wait").orElse("0s");
        Duration wait = Request.parseDuration("?wait", text);
        if (wait.compareTo(WorkerPort.WAIT_MAX) > 0) {
            throw RefusedRequest.invalid("?wait", "at most 20s; ask again after that", "'" + text + "'");
        }
        return engine.awaitEnd(request.org(), request.path("run"), wait);
    }

    private RunViews.@Nullable LiveRun findLive(String org, String run) throws Exception {
        Optional<RunViews.LiveRun> live = engine.query(org, (organisation, now) -> {
            var queries = new OrganisationQueries(organisation, now);
            List<WaitReason> why = queries.why(run).orElse(List.of());
            return queries.snapshot(run).map(snapshot -> new RunViews.LiveRun(snapshot, why));
        });
        return live.orElse(null);
    }

    private Response why(Request request) throws Exception {
        RunRecord run = findRun(request.allowQueries());
        Optional<List<WaitReason>> why = engine.query(
                request.org(), (organisation, now) -> new OrganisationQueries(organisation, now).why(run.run()));
        return Response.ok(
                new WhyAnswer(run.run(), null, null, WireWords.of(run.state()), ReasonViews.of(why.orElse(List.of()))));
    }

    private Response time(Request request) {
        RunRecord run = findRun(request.allowQueries());
        return engine.weir()
                .records()
                .criticalPath(request.org(), run.run())
                .map(criticalPath -> Response.ok(TimeViews.of(run, criticalPath)))
                .orElseThrow(() -> RefusedRequest.of(
                        Problem.Kind.CONFLICT,
                        "expected a run that has ended, found run " + run.run() + " " + WireWords.of(run.state())
                                + "; GET /v1/runs/" + run.run() + "/why shows what it waits for"));
    }

    private Response cancel(Request request) throws Exception {
        String run = request.allowQueries().path("run");
        CancelRequest body = request.bodyOr(CancelRequest.class, new CancelRequest(null, null));
        String reason = body.reason() == null ? "cancelled by an operator" : body.reason();
        return switch (engine.send(request, new CancelRun(run, policy(body.policy()), reason), body.reason())) {
            case CancelRun.Answer.Cancelling cancelling ->
                Response.ok(new RunAction(run, WireWords.of(cancelling.state()), true, null));
            case CancelRun.Answer.AlreadyEnded ended ->
                Response.ok(new RunAction(run, WireWords.of(ended.state()), false, "the run had already ended"));
            case CancelRun.Answer.NotFound ignored -> respondEnded(request);
        };
    }

    static @Nullable CancelPolicy policy(@Nullable String word) {
        return word == null
                ? null
                : Arrays.stream(CancelPolicy.values())
                        .filter(policy -> WireWords.of(policy).equals(word))
                        .findFirst()
                        .orElseThrow(() ->
                                RefusedRequest.invalid("/policy", "allow_finish or cancel_running", "'" + word + "'"));
    }

    /** Answers for a run that is not in memory: it has ended, or it never existed. */
    private Response respondEnded(Request request) {
        RunRecord run = findRun(request);
        return Response.ok(new RunAction(run.run(), WireWords.of(run.state()), false, "the run had already ended"));
    }

    private Response pause(Request request) throws Exception {
        String run = request.allowQueries().path("run");
        return switch (engine.send(request, new PauseRun(run))) {
            case PAUSED -> Response.ok(new RunAction(run, "paused", true, null));
            case ALREADY_PAUSED -> Response.ok(new RunAction(run, "paused", false, null));
            case ENDING -> throw RefusedRequest.of(Problem.Kind.CONFLICT, "run " + run + " is ending");
            case NOT_FOUND -> throw alreadyEnded(request);
        };
    }

    private Response resume(Request request) throws Exception {
        String run = request.allowQueries().path("run");
        var result = engine.send(request, WithState.ofRun(new ResumeRun(run), run));
        return switch (result.answer()) {
            case RESUMED -> Response.ok(RunViews.action(run, result, true, null));
            case NOT_PAUSED -> Response.ok(RunViews.action(run, result, false, "the run was not paused"));
            case NOT_FOUND -> throw alreadyEnded(request);
        };
    }

    private RefusedRequest alreadyEnded(Request request) {
        RunRecord run = findRun(request);
        return RefusedRequest.of(
                Problem.Kind.CONFLICT, "run " + run.run() + " has ended as " + WireWords.of(run.state()));
    }

    /** Overrides limits of a run. PUT replaces all values, PATCH only those that it names. */
    private Response override(Request request, boolean isReplacement) throws Exception {
        String run = request.allowQueries().path("run");
        OverrideRequest body = request.body(OverrideRequest.class);
        var values = new OverrideRun.Values(
                MergeFields.count(body.maxConcurrentSteps()),
                MergeFields.count(body.maxParallel()),
                engine.until(request.org(), body.forTime()),
                isReplacement);
        var result = engine.send(request, WithState.ofRun(new OverrideRun(run, values), run), body.reason());
        return switch (result.answer()) {
            case OVERRIDDEN -> {
                String reason = body.reason() == null ? "not given" : KeyRoutes.toSingleLine(body.reason());
                LOG.info(
                        "Organisation {}: override run {}; reason: {}",
                        request.org(),
                        KeyRoutes.toSingleLine(run),
                        reason);
                yield Response.ok(RunViews.action(run, result, true, warning(request.org(), run, values)));
            }
            case NOT_FOUND -> throw alreadyEnded(request);
        };
    }

    /**
     * Returns a warning that names a step that needs more slots than the override allows. Such a step is held,
     * never failed.
     */
    private @Nullable String warning(String org, String run, OverrideRun.Values values) throws Exception {
        if (!(values.maxSlots() instanceof FieldChange.Replace<Integer> to)) {
            return null;
        }
        int slots = to.value();
        Optional<String> warning = engine.query(
                org,
                (organisation, now) -> organisation
                        .findRun(run)
                        .flatMap(row -> row.request().plan().workflow().steps().stream()
                                .filter(step -> slotsOf(step) > slots)
                                .findFirst())
                        .map(step -> "step " + step.id() + " needs " + slotsOf(step) + " slots; it waits as"
                                + " over_capacity while max_parallel is " + slots));
        return warning.orElse(null);
    }

    private static int slotsOf(Step step) {
        Integer slots = step.demand().slots();
        return slots == null ? 1 : slots;
    }
}
