package dev.weir.server.routes;

import dev.weir.api.Problem;
import dev.weir.api.Runs.DeadlineRequest;
import dev.weir.api.Runs.InputRequest;
import dev.weir.api.Runs.OutputRequest;
import dev.weir.api.Runs.RunAction;
import dev.weir.api.Runs.SignalRequest;
import dev.weir.core.command.AmendInput;
import dev.weir.core.command.AmendOutput;
import dev.weir.core.command.ExtendDeadline;
import dev.weir.core.command.SendSignal;
import dev.weir.core.command.WithState;
import dev.weir.core.definition.DefinitionBounds;
import dev.weir.core.json.CanonicalJson;
import dev.weir.core.limit.Moment;
import dev.weir.core.state.Permission;
import dev.weir.core.state.UnitId;
import dev.weir.core.state.Update;
import dev.weir.engine.records.RunRecord;
import dev.weir.server.http.RefusedRequest;
import dev.weir.server.http.Request;
import dev.weir.server.http.Response;
import dev.weir.server.http.Routing;
import dev.weir.server.http.Routing.Method;
import dev.weir.server.view.RunViews;
import dev.weir.server.view.WireWords;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** The routes that change a live run from outside: signals, corrected input and output, a later deadline. */
final class RunInputRoutes {
    private final EngineGateway engine;

    RunInputRoutes(EngineGateway engine) {
        this.engine = engine;
    }

    void add(Routing routing) {
        routing.route(Method.POST, "/v1/runs/{run}/signals/{signal}", Permission.START, this::signal);
        routing.route(Method.PUT, "/v1/runs/{run}/input", Permission.OPERATE, this::amendInput);
        routing.route(Method.PUT, "/v1/runs/{run}/deadline", Permission.OPERATE, this::extend);
        routing.route(Method.PUT, "/v1/runs/{run}/steps/{step}/output", Permission.OPERATE, this::amendOutput);
    }

    private Response signal(Request request) throws Exception {
        String run = request.allowQueries().path("run");
        String name = request.path("signal");
        if (name.isBlank() || name.length() > DefinitionBounds.NAME_CHARS_MAX) {
            throw RefusedRequest.invalid(
                    "signal",
                    "a name of at most " + DefinitionBounds.NAME_CHARS_MAX + " characters",
                    name.length() + "");
        }
        SignalRequest body = request.bodyOr(SignalRequest.class, new SignalRequest(null, null));
        String id = body.id() == null
                ? request.header("Idempotency-Key").map(StartRoutes::idFromKey).orElse(null)
                : body.id();
        var payload = body.payload() == null ? JsonNodeFactory.instance.nullNode() : CanonicalJson.of(body.payload());
        var result = engine.send(request, WithState.ofRun(new SendSignal(run, id, name, payload), run));
        return switch (result.answer()) {
            case DELIVERED -> Response.ok(RunViews.action(run, result, true, "delivered"));
            case KEPT ->
                Response.ok(RunViews.action(run, result, true, "the run keeps the signal until a step waits for it"));
            case TOO_MANY ->
                throw conflict(
                        run, "keeps the maximum of 10,000 signals or 4 MiB; retry when its steps have received some");
            case OTHER_BODY ->
                throw RefusedRequest.of(
                        Problem.Kind.REFUSED,
                        "run " + run + " has received a different signal with this id; use another id");
            case RUN_ENDED, NOT_FOUND -> respondIfDelivered(request, id);
        };
    }

    /** Answers for a run that has ended. The signal may have arrived before, and may even have ended the run. */
    private Response respondIfDelivered(Request request, @Nullable String id) {
        String run = request.path("run");
        boolean isDelivered = id != null
                && engine.weir().records().steps(request.org(), run).stream()
                        .anyMatch(step ->
                                step.signal() != null && id.equals(step.signal().id()));
        if (isDelivered) {
            return Response.ok(new RunAction(run, WireWords.of(findRun(request).state()), true, "delivered"));
        }
        throw notLive(request);
    }

    private Response amendInput(Request request) throws Exception {
        String run = request.allowQueries().path("run");
        InputRequest body = request.body(InputRequest.class);
        if (body.item() != null) {
            throw RefusedRequest.invalid(
                    "/item",
                    "no item, because the input belongs to the run",
                    body.item().toString());
        }
        JsonNode input = CanonicalJson.of(body.input());
        var result = engine.send(request, WithState.ofRun(new AmendInput(run, input), run));
        return switch (result.answer()) {
            case AMENDED -> Response.ok(RunViews.action(run, result, true, null));
            case NOT_WAITING -> throw conflict(run, "has started, and none of its steps lacks input");
            case MAKING_ITEMS -> throw creatingItems(run);
            case NO_RUN_KEY -> throw conflict(run, "waits under its run_key, which Weir cannot render from this input");
            case NOT_FOUND -> {
                Optional<RunRecord> ended = engine.weir().records().findRun(request.org(), run);
                if (ended.isPresent() && ended.get().input().equals(input)) {
                    yield Response.ok(
                            new RunAction(run, WireWords.of(ended.get().state()), true, null));
                }
                throw notLive(request);
            }
        };
    }

    private Response amendOutput(Request request) throws Exception {
        String run = request.allowQueries().path("run");
        String step = request.path("step");
        OutputRequest body = request.body(OutputRequest.class);
        String by = body.by() == null ? request.caller().token() : body.by();
        JsonNode output = CanonicalJson.of(body.output());
        UnitId unit = UnitId.of(run, step);
        var result = engine.send(request, WithState.ofStep(new AmendOutput(run, step, output, by), unit));
        return switch (result.answer()) {
            case AmendOutput.Answer.Amended ignored -> Response.ok(RunViews.action(unit, result.step(), "amended"));
            case AmendOutput.Answer.DoesNotFit unfit -> throw RefusedRequest.of(Problem.Kind.REFUSED, unfit.reason());
            case AmendOutput.Answer.NotWaiting ignored ->
                throw conflict(run, "does not wait for a correction of the output of step " + step);
            case AmendOutput.Answer.MakingItems ignored -> throw creatingItems(run);
            case AmendOutput.Answer.NotFound ignored -> {
                var ended = engine.weir().records().findStep(request.org(), unit);
                if (ended.isPresent()
                        && new Update.Completed(output).equals(ended.get().lastUpdate())) {
                    yield Response.ok(RunViews.action(unit, ended.get().state(), "amended"));
                }
                throw notLive(request);
            }
        };
    }

    private Response extend(Request request) throws Exception {
        String run = request.allowQueries().path("run");
        DeadlineRequest body = request.body(DeadlineRequest.class);
        Duration extension = Request.parseDuration("/in", body.in());
        if (extension.compareTo(DefinitionBounds.DURATION_MAX) > 0) {
            throw RefusedRequest.invalid(
                    "/in", "at most " + DefinitionBounds.DURATION_MAX.toDays() + " days", "'" + body.in() + "'");
        }
        long now = engine.query(request.org(), (organisation, at) -> at);
        var command = new ExtendDeadline(run, Moment.plus(now, Moment.micros(extension)));
        var result = engine.send(request, WithState.ofRun(command, run));
        return switch (result.answer()) {
            case EXTENDED -> Response.ok(RunViews.action(run, result, true, null));
            case NOT_LATER -> throw conflict(run, "already has a later deadline");
            case NO_DEADLINE -> throw conflict(run, "has no deadline, or has not started");
            case ENDING -> throw conflict(run, "is ending");
            case NOT_FOUND -> throw notLive(request);
        };
    }

    private static RefusedRequest conflict(String run, String why) {
        return RefusedRequest.of(Problem.Kind.CONFLICT, "run " + run + " " + why);
    }

    /**
     * Refuses a change while items are being made, because the data that they are made from must not change until
     * then.
     */
    private static RefusedRequest creatingItems(String run) {
        return conflict(run, "is still creating the items of a with_items step; retry when it has created all of them");
    }

    /** Returns the refusal for a run or step that is not in memory: the run has ended, or it never existed. */
    private RefusedRequest notLive(Request request) {
        RunRecord found = findRun(request);
        return found.state().ended()
                ? conflict(found.run(), "has ended as " + WireWords.of(found.state()))
                : RefusedRequest.notFound("step", String.valueOf(request.path("step")));
    }

    private RunRecord findRun(Request request) {
        return engine.run(request.org(), request.path("run"));
    }
}
