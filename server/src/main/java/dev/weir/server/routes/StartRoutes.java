package dev.weir.server.routes;

import dev.weir.api.Problem;
import dev.weir.api.Problem.Finding;
import dev.weir.api.Starts.RefusedStart;
import dev.weir.api.Starts.RefusedStartPage;
import dev.weir.api.Starts.RetryRequest;
import dev.weir.api.Starts.StartResult;
import dev.weir.api.Starts.StartResults;
import dev.weir.api.Starts.StartRunRequest;
import dev.weir.api.Starts.StartedRun;
import dev.weir.api.Work;
import dev.weir.core.command.RetryRun;
import dev.weir.core.definition.DefinitionBounds;
import dev.weir.core.definition.FlowControl;
import dev.weir.core.expression.Variable;
import dev.weir.core.json.CanonicalJson;
import dev.weir.core.limit.Moment;
import dev.weir.core.reading.ReadResult;
import dev.weir.core.reading.WorkflowReader;
import dev.weir.core.state.Attribution;
import dev.weir.core.state.FullQueue;
import dev.weir.core.state.Permission;
import dev.weir.engine.request.RetryOutcome;
import dev.weir.engine.request.StartOutcome;
import dev.weir.engine.request.StartRequest;
import dev.weir.server.http.RefusedRequest;
import dev.weir.server.http.Request;
import dev.weir.server.http.Response;
import dev.weir.server.http.Routing;
import dev.weir.server.http.Routing.Method;
import dev.weir.server.view.WireWords;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** The routes that start and retry runs. */
final class StartRoutes {
    private static final Pattern ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.:@=+-]{0,127}");
    private static final String ID_EXPECTED =
            "a letter or digit, then up to 127 letters, digits or _ . : @ = + - characters";
    private static final int KEY_HASH_CHARS = 32;

    private final EngineGateway engine;

    StartRoutes(EngineGateway engine) {
        this.engine = engine;
    }

    void add(Routing routing) {
        routing.route(Method.POST, "/v1/runs", Permission.START, this::start);
        routing.route(Method.POST, "/v1/runs/batch", Permission.START, this::startAll);
        routing.route(Method.POST, "/v1/runs/{run}/retry", Permission.OPERATE, this::retry);
        routing.route(Method.GET, "/v1/refused-starts", Permission.READ, this::listRefused);
    }

    private Response start(Request request) throws Exception {
        StartRunRequest body = request.allowQueries().body(StartRunRequest.class);
        Optional<String> key = request.header("Idempotency-Key");
        StartRequest requested = toStartRequest(body, key.orElse(null), "");
        StartOutcome answer =
                engine.await(engine.weir().start(request.org(), requested, request.attribution()), Duration.ZERO);
        return respond(answer, body.workflow(), key.isPresent());
    }

    /**
     * Responds to a start.
     *
     * @param hasKey true if the caller identified the start by an idempotency key
     */
    static Response respond(StartOutcome answer, String workflow, boolean hasKey) {
        return switch (answer) {
            case StartOutcome.Started started ->
                Response.created(
                        new StartedRun(started.run(), workflow, WireWords.of(started.state()), started.version(), true),
                        "/v1/runs/" + started.run());
            case StartOutcome.Existing existing ->
                Response.ok(new StartedRun(existing.run(), workflow, WireWords.of(existing.state()), null, false));
            case StartOutcome.OtherBody other ->
                throw RefusedRequest.of(
                        hasKey ? Problem.Kind.REFUSED : Problem.Kind.CONFLICT,
                        "run " + other.run() + " was already started with a different body; use another "
                                + (hasKey ? "Idempotency-Key" : "id"));
            case StartOutcome.Closed closed -> throw RefusedRequest.of(Problem.Kind.CONFLICT, closed.reason());
            case StartOutcome.Refused refused -> throw RefusedRequest.of(Problem.Kind.REFUSED, refused.reason());
            case StartOutcome.QueueFull full -> throw queueFull(full.queue());
            case StartOutcome.UnknownWorkflow unknown ->
                throw RefusedRequest.of(Problem.Kind.NOT_FOUND, unknown.message());
        };
    }

    private static RefusedRequest queueFull(FullQueue queue) {
        return RefusedRequest.queueFull(queue.message(), Duration.of(queue.retryAfter(), ChronoUnit.MICROS));
    }

    private Response startAll(Request request) throws Exception {
        Optional<String> key = request.header("Idempotency-Key");
        Attribution by = request.attribution();
        var batch = new BatchRequest<StartRunRequest, StartResult, StartResult>(
                (body, at) -> {
                    String position = at.substring(at.lastIndexOf('/'));
                    StartRequest requested = toStartRequest(
                            body, key.map(value -> value + position).orElse(null), at);
                    return engine.weir()
                            .start(request.org(), requested, by)
                            .thenApply(answer -> result(requested.run(), answer));
                },
                (body, result) -> result,
                (entry, why) -> new StartResult(entry.textField("id"), Work.REFUSED, null, why));
        var entries = request.allowQueries().entries("runs", StartRunRequest.class);
        return Response.ok(new StartResults(batch.execute(engine, entries)));
    }

    private Response retry(Request request) throws Exception {
        String run = request.allowQueries().path("run");
        RetryRequest body = request.bodyOr(RetryRequest.class, new RetryRequest(null));
        String key = request.header("Idempotency-Key").orElse(null);
        String newId = body.id() == null && key == null ? RetryRun.nextRetryId(run) : runId(body.id(), key, "");
        return switch (engine.await(
                engine.weir().retry(request.org(), run, newId, request.attribution()), Duration.ZERO)) {
            case RetryOutcome.Started started ->
                Response.created(
                        new StartedRun(
                                started.run(),
                                started.workflow(),
                                WireWords.of(started.state()),
                                started.version(),
                                true),
                        "/v1/runs/" + started.run());
            case RetryOutcome.Existing existing ->
                Response.ok(new StartedRun(
                        existing.run(),
                        existing.workflow(),
                        WireWords.of(existing.state()),
                        existing.version(),
                        false));
            case RetryOutcome.OtherBody other ->
                throw RefusedRequest.of(
                        Problem.Kind.CONFLICT,
                        "run " + other.run()
                                + " exists and is not a retry of this run; choose another id for the new run");
            case RetryOutcome.NotEnded live ->
                throw RefusedRequest.of(
                        Problem.Kind.CONFLICT,
                        "expected a run that has ended, found " + run + " " + WireWords.of(live.state())
                                + "; cancel it first, or resume it if it is paused");
            case RetryOutcome.Completed ignored ->
                throw RefusedRequest.of(
                        Problem.Kind.CONFLICT,
                        "expected a run that failed or was cancelled, found " + run
                                + " completed; start a new run instead");
            case RetryOutcome.NotFound ignored -> throw engine.runNotFound(run);
            case RetryOutcome.Closed closed -> throw RefusedRequest.of(Problem.Kind.CONFLICT, closed.reason());
            case RetryOutcome.QueueFull full -> throw queueFull(full.queue());
            case RetryOutcome.Refused refused -> throw RefusedRequest.of(Problem.Kind.REFUSED, refused.reason());
        };
    }

    /** Lists the refused starts of the inbox, for which no caller waited. */
    private Response listRefused(Request request) {
        request.allowQueries("cursor", "limit");
        var page = PageParameters.page(
                request, requested -> engine.weir().records().refusedStarts(request.org(), requested));
        var starts = page.entries().stream()
                .map(start -> new RefusedStart(
                        start.run(),
                        start.workflow(),
                        WireWords.of(start.why()),
                        start.message(),
                        start.by(),
                        start.at()))
                .toList();
        return Response.ok(new RefusedStartPage(starts, WireWords.orNull(page.next())));
    }

    private static StartResult result(String run, StartOutcome answer) {
        return switch (answer) {
            case StartOutcome.Started started -> new StartResult(run, "created", WireWords.of(started.state()), null);
            case StartOutcome.Existing existing ->
                new StartResult(run, "existing", WireWords.of(existing.state()), null);
            case StartOutcome.OtherBody ignored ->
                new StartResult(run, "conflict", null, "run " + run + " was already started with a different body");
            case StartOutcome.Closed closed -> throw RefusedRequest.of(Problem.Kind.CONFLICT, closed.reason());
            case StartOutcome.Refused refused -> throw RefusedRequest.of(Problem.Kind.REFUSED, refused.reason());
            case StartOutcome.QueueFull full ->
                new StartResult(run, "queue_full", null, full.queue().message());
            case StartOutcome.UnknownWorkflow unknown ->
                new StartResult(run, "unknown_workflow", null, unknown.message());
        };
    }

    static StartRequest toStartRequest(StartRunRequest body, @Nullable String key, String pointer) {
        JsonNode input = body.input() == null ? JsonNodeFactory.instance.objectNode() : body.input();
        return new StartRequest(
                runId(body.id(), key, pointer),
                body.workflow(),
                input,
                body.priority(),
                body.flowControl() == null ? null : flowControl(body.flowControl(), pointer + "/flow_control"),
                new TreeMap<>(body.labels() == null ? Map.of() : body.labels()),
                options(body, pointer),
                body.correlationId());
    }

    private static dev.weir.core.state.RunRequest.Options options(StartRunRequest body, String pointer) {
        Duration delay = body.delay() == null ? Duration.ZERO : Request.parseDuration(pointer + "/delay", body.delay());
        if (delay.compareTo(DefinitionBounds.DURATION_MAX) > 0) {
            throw RefusedRequest.invalid(
                    pointer + "/delay", "at most " + DefinitionBounds.DURATION_MAX.toDays() + " days", "more");
        }
        List<String> targets = body.targets() == null ? List.of() : body.targets();
        return new dev.weir.core.state.RunRequest.Options(Moment.micros(delay), targets);
    }

    /** Returns the given id, or else one derived from the idempotency key, or else a new one. */
    private static String runId(@Nullable String id, @Nullable String key, String pointer) {
        if (id != null) {
            if (!ID.matcher(id).matches()) {
                throw RefusedRequest.invalid(pointer + "/id", ID_EXPECTED, "'" + id + "'");
            }
            return id;
        }
        return key == null ? "run-" + UUID.randomUUID() : idFromKey(key);
    }

    /** Returns the id that is derived from an idempotency key. */
    static String idFromKey(String key) {
        return "key-"
                + CanonicalJson.hash(JsonNodeFactory.instance.stringNode(key)).substring(0, KEY_HASH_CHARS);
    }

    /**
     * Reads the keys of a run. They are rendered for each of its steps, so they may only use values that are known
     * when the run starts.
     */
    private static List<FlowControl> flowControl(JsonNode block, String pointer) {
        List<FlowControl> controls = switch (WorkflowReader.readFlowControl(block.toString())) {
            case ReadResult.Accepted<List<FlowControl>> accepted -> accepted.value();
            case ReadResult.Refused<List<FlowControl>> refused -> {
                List<Finding> findings = refused.problems().stream()
                        .map(refusal -> Finding.at(pointer + refusal.path(), refusal.message()))
                        .toList();
                String detail = findings.getFirst().pointer() + ": "
                        + findings.getFirst().message();
                throw RefusedRequest.of(Problem.Kind.INVALID_REQUEST, detail, findings);
            }
        };
        for (int i = 0; i < controls.size(); i++) {
            Set<Variable> others = EnumSet.noneOf(Variable.class);
            others.addAll(controls.get(i).key().variables());
            others.removeAll(Set.of(Variable.INPUT, Variable.RUN));
            if (!others.isEmpty()) {
                String at = pointer + (block.isArray() ? "/" + i : "") + "/key";
                String found =
                        others.stream().map(Variable::variableName).toList().toString();
                throw RefusedRequest.invalid(at, "a key that uses only input and run", found);
            }
        }
        return controls;
    }
}
