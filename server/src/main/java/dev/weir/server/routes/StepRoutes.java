package dev.weir.server.routes;

import dev.weir.api.Problem;
import dev.weir.api.Runs.AbandonRequest;
import dev.weir.api.Runs.GateRequest;
import dev.weir.api.Runs.InputRequest;
import dev.weir.api.Runs.ItemPage;
import dev.weir.api.Runs.StepList;
import dev.weir.api.Why.WhyAnswer;
import dev.weir.core.command.AbandonStep;
import dev.weir.core.command.ApproveStep;
import dev.weir.core.command.ProvideInput;
import dev.weir.core.command.RevokeApproval;
import dev.weir.core.command.SkipStep;
import dev.weir.core.command.WithState;
import dev.weir.core.definition.DefinitionBounds;
import dev.weir.core.explain.OrganisationQueries;
import dev.weir.core.explain.WaitReason;
import dev.weir.core.json.CanonicalJson;
import dev.weir.core.state.Permission;
import dev.weir.core.state.StepState;
import dev.weir.core.state.UnitId;
import dev.weir.engine.records.RunRecord;
import dev.weir.engine.records.StepRecord;
import dev.weir.server.http.RefusedRequest;
import dev.weir.server.http.Request;
import dev.weir.server.http.Response;
import dev.weir.server.http.Routing;
import dev.weir.server.http.Routing.Method;
import dev.weir.server.view.ReasonViews;
import dev.weir.server.view.RunViews;
import dev.weir.server.view.WireWords;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The routes that show steps and items, explain why they wait, approve and skip them, and provide their input. */
final class StepRoutes {
    private final EngineGateway engine;

    StepRoutes(EngineGateway engine) {
        this.engine = engine;
    }

    void add(Routing routing) {
        routing.route(Method.GET, "/v1/runs/{run}/steps", Permission.READ, this::list);
        routing.route(Method.GET, "/v1/runs/{run}/steps/{step}", Permission.READ, this::get);
        routing.route(Method.GET, "/v1/runs/{run}/steps/{step}/items", Permission.READ, this::items);
        routing.route(Method.GET, "/v1/runs/{run}/steps/{step}/why", Permission.READ, this::why);
        routing.route(Method.POST, "/v1/runs/{run}/steps/{step}/approve", Permission.OPERATE, this::approve);
        routing.route(Method.POST, "/v1/runs/{run}/steps/{step}/revoke", Permission.OPERATE, this::revoke);
        routing.route(Method.POST, "/v1/runs/{run}/steps/{step}/skip", Permission.OPERATE, this::skip);
        routing.route(Method.POST, "/v1/runs/{run}/steps/{step}/input", Permission.OPERATE, this::provideInput);
        routing.route(Method.POST, "/v1/runs/{run}/steps/{step}/abandon", Permission.OPERATE, this::abandon);
    }

    private RunRecord run(Request request) {
        return engine.run(request.org(), request.path("run"));
    }

    private StepRecord step(Request request, int item) {
        var unit = new UnitId(run(request).run(), request.path("step"), item);
        return engine.weir()
                .records()
                .findStep(request.org(), unit)
                .orElseThrow(() -> RefusedRequest.notFound(item == UnitId.NO_ITEM ? "step" : "item", unit.toString()));
    }

    private Optional<OrganisationQueries.RunSnapshot> snapshot(Request request, String run) throws Exception {
        return engine.query(
                request.org(), (organisation, now) -> new OrganisationQueries(organisation, now).snapshot(run));
    }

    private Response list(Request request) throws Exception {
        RunRecord run = run(request.allowQueries());
        var steps = engine.weir().records().steps(request.org(), run.run());
        var snapshot = run.state().ended() ? null : snapshot(request, run.run()).orElse(null);
        return Response.ok(new StepList(RunViews.steps(steps, snapshot)));
    }

    private Response get(Request request) throws Exception {
        StepRecord step = step(request, item(request));
        if (step.unit().item() != UnitId.NO_ITEM) {
            return Response.ok(RunViews.step(step, null));
        }
        var snapshot = snapshot(request, step.unit().run())
                .map(run -> run.steps().get(step.unit().step()))
                .orElse(null);
        return Response.ok(RunViews.step(step, snapshot));
    }

    private Response items(Request request) {
        StepRecord step = step(request.allowQueries("cursor", "limit"), UnitId.NO_ITEM);
        var page = PageParameters.page(
                request,
                pageRequest -> engine.weir()
                        .records()
                        .items(request.org(), step.unit().run(), step.unit().step(), pageRequest));
        var items =
                page.entries().stream().map(item -> RunViews.step(item, null)).toList();
        return Response.ok(new ItemPage(items, WireWords.orNull(page.next())));
    }

    /** Returns the item that the query names, if it names one. */
    private static int item(Request request) {
        return request.allowQueries("item").intQuery("item", UnitId.NO_ITEM, 0, DefinitionBounds.ITEMS_FROM_RANGE_MAX);
    }

    private Response why(Request request) throws Exception {
        int item = item(request);
        StepRecord step = step(request, item);
        Optional<List<WaitReason>> why = engine.query(
                request.org(), (organisation, now) -> new OrganisationQueries(organisation, now).why(step.unit()));
        return Response.ok(new WhyAnswer(
                step.unit().run(),
                step.unit().step(),
                WireWords.item(item),
                WireWords.of(step.state()),
                ReasonViews.of(why.orElse(List.of()))));
    }

    private Response approve(Request request) throws Exception {
        String run = request.allowQueries().path("run");
        String step = request.path("step");
        GateRequest body = request.bodyOr(GateRequest.class, new GateRequest(null, null));
        UnitId unit = UnitId.of(run, step);
        var command = new ApproveStep(run, step, actorName(request, body.by()), body.note());
        var result = engine.send(request, WithState.ofStep(command, unit), body.note());
        return switch (result.answer()) {
            case APPROVED -> Response.ok(RunViews.action(unit, result.step(), "approved"));
            case NOT_WAITING -> throw conflict(run, step, "does not wait for an approval");
            case NOT_FOUND ->
                respondEnded(request, unit, "approved", stored -> hasDecision(request, stored, true, body));
        };
    }

    private Response revoke(Request request) throws Exception {
        String run = request.allowQueries().path("run");
        String step = request.path("step");
        GateRequest body = request.bodyOr(GateRequest.class, new GateRequest(null, null));
        UnitId unit = UnitId.of(run, step);
        var command = new RevokeApproval(run, step, actorName(request, body.by()), body.note());
        var result = engine.send(request, WithState.ofStep(command, unit), body.note());
        return switch (result.answer()) {
            case REVOKED -> Response.ok(RunViews.action(unit, result.step(), "revoked"));
            case NOT_APPROVED -> throw conflict(run, step, "is not approved");
            case STARTED -> throw conflict(run, step, "has started");
            case NOT_FOUND ->
                respondEnded(request, unit, "revoked", stored -> hasDecision(request, stored, false, body));
        };
    }

    private static String actorName(Request request, @Nullable String who) {
        return who == null ? request.caller().token() : who;
    }

    private Response provideInput(Request request) throws Exception {
        InputRequest body = request.allowQueries().body(InputRequest.class);
        UnitId unit = unit(request, body.item());
        JsonNode input = CanonicalJson.of(body.input());
        var result = engine.send(request, WithState.ofStep(new ProvideInput(unit, input), unit));
        return switch (result.answer()) {
            case PROVIDED -> Response.ok(RunViews.action(unit, result.step(), "provided"));
            case ALREADY_PROVIDED -> throw conflict(unit.run(), unit.step(), "already has its input");
            case NOT_WAITING -> throw conflict(unit.run(), unit.step(), "does not need input");
            case NOT_FOUND -> respondEnded(request, unit, "provided", stored -> input.equals(stored.provided()));
        };
    }

    private Response abandon(Request request) throws Exception {
        AbandonRequest body = request.allowQueries().bodyOr(AbandonRequest.class, new AbandonRequest(null, null, null));
        UnitId unit = unit(request, body.item());
        String reason = body.reason() == null ? "no reason given" : body.reason();
        var command = new AbandonStep(unit, actorName(request, body.by()), reason);
        var result = engine.send(request, WithState.ofStep(command, unit), body.reason());
        return switch (result.answer()) {
            case ABANDONED -> Response.ok(RunViews.action(unit, result.step(), "abandoned"));
            case NOT_WAITING -> throw conflict(unit.run(), unit.step(), "does not need input");
            case NOT_FOUND ->
                respondEnded(
                        request, unit, "abandoned", stored -> command.error().equals(stored.lastUpdate()));
        };
    }

    static UnitId unit(Request request, @Nullable Integer item) {
        if (item != null && item < 0) {
            throw RefusedRequest.invalid("/item", "an index of at least 0", item.toString());
        }
        return new UnitId(request.path("run"), request.path("step"), item == null ? UnitId.NO_ITEM : item);
    }

    private Response skip(Request request) throws Exception {
        String run = request.allowQueries().path("run");
        String step = request.path("step");
        UnitId unit = UnitId.of(run, step);
        var result = engine.send(request, WithState.ofStep(new SkipStep(run, step), unit));
        return switch (result.answer()) {
            case SKIPPED -> Response.ok(RunViews.action(unit, result.step(), "skipped"));
            case NOT_OPTIONAL -> throw conflict(run, step, "is not optional");
            case STARTED -> throw conflict(run, step, "has started");
            case ALREADY_ENDED -> throw conflict(run, step, "has ended");
            case NOT_FOUND -> respondEnded(request, unit, "skipped", stored -> stored.state() == StepState.SKIPPED);
        };
    }

    private static RefusedRequest conflict(String run, String step, String why) {
        return RefusedRequest.of(Problem.Kind.CONFLICT, "step " + step + " of run " + run + " " + why);
    }

    /**
     * Answers for a step that is not in memory: its run has ended, or there is no such run.
     *
     * @param isAlreadyDone true for a step to which the requested change was made before its run ended; the response then
     *     repeats the first one
     */
    private Response respondEnded(Request request, UnitId unit, String result, Predicate<StepRecord> isAlreadyDone) {
        StepRecord step = step(request, unit.item());
        if (isAlreadyDone.test(step)) {
            return Response.ok(RunViews.action(unit, step.state(), result));
        }
        throw conflict(unit.run(), unit.step(), "is " + WireWords.of(step.state()) + "; its run has ended");
    }

    private static boolean hasDecision(Request request, StepRecord step, boolean approved, GateRequest body) {
        return step.approval() != null
                && step.approval().isSameDecision(approved, actorName(request, body.by()), body.note());
    }
}
