package dev.weir.server.routes;

import dev.weir.api.Problem;
import dev.weir.api.Runs.RunNowAnswer;
import dev.weir.api.Runs.RunNowRequest;
import dev.weir.api.Why;
import dev.weir.core.command.RunStepNow;
import dev.weir.core.explain.OrganisationQueries;
import dev.weir.core.state.Permission;
import dev.weir.core.state.StepRow;
import dev.weir.core.state.StepState;
import dev.weir.core.state.UnitId;
import dev.weir.engine.records.StepRecord;
import dev.weir.server.http.RefusedRequest;
import dev.weir.server.http.Request;
import dev.weir.server.http.Response;
import dev.weir.server.http.Routing;
import dev.weir.server.http.Routing.Method;
import dev.weir.server.view.ReasonViews;
import dev.weir.server.view.WireWords;
import java.util.List;
import java.util.stream.Collectors;

/** The route with which an operator puts a step ahead of all others that wait. */
final class RunStepNowRoute {
    private final EngineGateway engine;

    RunStepNowRoute(EngineGateway engine) {
        this.engine = engine;
    }

    void add(Routing routing) {
        routing.route(Method.POST, "/v1/runs/{run}/steps/{step}/run", Permission.OPERATE, this::runNow);
    }

    /** The state of a live step after the decision, and what keeps it from starting. */
    private record StepStatus(StepState state, List<Why.Reason> reasons) {}

    private Response runNow(Request request) throws Exception {
        RunNowRequest body = request.allowQueries().bodyOr(RunNowRequest.class, new RunNowRequest(null, null));
        UnitId unit = StepRoutes.unit(request, body.item());
        RunStepNow.Answer answer = engine.send(request, new RunStepNow(unit), body.reason());
        return switch (answer) {
            case AHEAD, RUNNING -> Response.ok(answer(unit, status(request, unit)));
            case HAS_ITEMS -> throw conflict(unit, "has items: choose one with item");
            case NOT_READY -> {
                StepStatus status = status(request, unit);
                throw conflict(unit, "is " + WireWords.of(status.state()) + reasonsText(status.reasons()));
            }
            case ENDED, NOT_FOUND ->
                throw conflict(
                        unit, "is " + WireWords.of(stored(request, unit).state()) + "; it has ended or its run has");
        };
    }

    /** Reads the step after the decision was committed. The admission of that decision has happened by then. */
    private StepStatus status(Request request, UnitId unit) throws Exception {
        return engine.query(
                        request.org(),
                        (organisation, now) -> organisation
                                .findStep(unit)
                                .map(StepRow::state)
                                .map(state -> new StepStatus(
                                        state,
                                        ReasonViews.of(new OrganisationQueries(organisation, now)
                                                .why(unit)
                                                .orElse(List.of())))))
                .orElseGet(() -> new StepStatus(stored(request, unit).state(), List.of()));
    }

    private StepRecord stored(Request request, UnitId unit) {
        engine.run(request.org(), unit.run());
        return engine.weir()
                .records()
                .findStep(request.org(), unit)
                .orElseThrow(() ->
                        RefusedRequest.notFound(unit.item() == UnitId.NO_ITEM ? "step" : "item", unit.toString()));
    }

    private static RunNowAnswer answer(UnitId unit, StepStatus status) {
        boolean waits = status.state() == StepState.READY || status.state() == StepState.REQUESTED;
        boolean onlyWorker =
                status.reasons().stream().allMatch(reason -> reason.reason().equals("no_worker"));
        String outcome = !waits ? "granted" : onlyWorker ? "no_worker" : "held";
        return new RunNowAnswer(
                unit.run(),
                unit.step(),
                WireWords.item(unit.item()),
                outcome,
                WireWords.of(status.state()),
                waits ? status.reasons() : List.of());
    }

    private static String reasonsText(List<Why.Reason> reasons) {
        return reasons.isEmpty()
                ? ""
                : ": " + reasons.stream().map(Why.Reason::message).collect(Collectors.joining("; "));
    }

    private static RefusedRequest conflict(UnitId unit, String why) {
        return RefusedRequest.of(Problem.Kind.CONFLICT, unit.describe() + " " + why);
    }
}
