package dev.weir.server.routes;

import dev.weir.api.Problem;
import dev.weir.api.Runs.CancelRequest;
import dev.weir.api.Runs.Overrides;
import dev.weir.api.Runs.RunAction;
import dev.weir.api.Runs.RunPage;
import dev.weir.api.Why.WhyAnswer;
import dev.weir.core.admission.RunGate;
import dev.weir.core.definition.CancelPolicy;
import dev.weir.core.definition.Step;
import dev.weir.core.life.AndState;
import dev.weir.core.life.CancelRun;
import dev.weir.core.life.Insight;
import dev.weir.core.life.OverrideRun;
import dev.weir.core.life.PauseRun;
import dev.weir.core.life.Reason;
import dev.weir.core.life.ResumeRun;
import dev.weir.core.life.RunState;
import dev.weir.engine.records.RunFilter;
import dev.weir.engine.records.RunRecord;
import dev.weir.server.http.Answer;
import dev.weir.server.http.Refused;
import dev.weir.server.http.Request;
import dev.weir.server.http.Routing;
import dev.weir.server.http.Routing.Method;
import dev.weir.server.view.Reasons;
import dev.weir.server.view.RunViews;
import dev.weir.server.view.TimeViews;
import dev.weir.server.view.Words;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Runs: looked at, found, paused, resumed, cancelled, overridden. */
final class RunRoutes {
    private static final int REASON_CHARS_MAX = 1_024;

    private final Engine engine;

    RunRoutes(Engine engine) {
        this.engine = engine;
    }

    void add(Routing routing) {
        routing.on(Method.GET, "/v1/runs", this::list);
        routing.on(Method.GET, "/v1/runs/{run}", this::get);
        routing.on(Method.GET, "/v1/runs/{run}/why", this::why);
        routing.on(Method.GET, "/v1/runs/{run}/time", this::time);
        routing.on(Method.POST, "/v1/runs/{run}/cancel", this::cancel);
        routing.on(Method.POST, "/v1/runs/{run}/pause", this::pause);
        routing.on(Method.POST, "/v1/runs/{run}/resume", this::resume);
        routing.on(Method.PUT, "/v1/runs/{run}/overrides", this::override);
    }

    private Answer list(Request request) {
        request.allow("state", "workflow", "label", "cursor", "limit");
        Set<RunState> states = EnumSet.noneOf(RunState.class);
        for (String value : request.queries("state")) {
            for (String word : value.split(",", -1)) {
                states.add(state(word));
            }
        }
        var filter = new RunFilter(states, request.query("workflow").orElse(null), labels(request));
        var page = Paging.page(request, asked -> engine.weir().records().runs(request.org(), filter, asked));
        var runs = page.entries().stream().map(RunViews::summary).toList();
        return Answer.ok(new RunPage(runs, Words.orNull(page.next())));
    }

    private static RunState state(String word) {
        return Arrays.stream(RunState.values())
                .filter(state -> Words.of(state).equals(word))
                .findFirst()
                .orElseThrow(() -> Refused.invalid(
                        "?state",
                        "one of "
                                + String.join(
                                        ", ",
                                        Arrays.stream(RunState.values())
                                                .map(Words::of)
                                                .toList()),
                        "'" + word + "'"));
    }

    private static Map<String, String> labels(Request request) {
        Map<String, String> labels = new TreeMap<>();
        for (String label : request.queries("label")) {
            int at = label.indexOf('=');
            if (at < 1) {
                throw Refused.invalid("?label", "name=value", "'" + label + "'");
            }
            labels.put(label.substring(0, at), label.substring(at + 1));
        }
        return labels;
    }

    private RunRecord record(Request request) {
        String run = request.path("run");
        return engine.weir().records().findRun(request.org(), run).orElseThrow(() -> Refused.notFound("run", run));
    }

    private Answer get(Request request) throws Exception {
        RunRecord run = record(request.allow());
        var living = run.state().ended() ? null : living(request.org(), run.run());
        var steps = engine.weir().records().steps(request.org(), run.run());
        return Answer.ok(RunViews.run(run, steps, living));
    }

    private RunViews.@Nullable Living living(String org, String run) throws Exception {
        Optional<RunViews.Living> living = engine.look(org, (organisation, now) -> {
            var insight = new Insight(organisation, now);
            List<Reason> why = insight.why(run).orElse(List.of());
            return insight.glance(run).map(glance -> new RunViews.Living(glance, why));
        });
        return living.orElse(null);
    }

    private Answer why(Request request) throws Exception {
        RunRecord run = record(request.allow());
        Optional<List<Reason>> why =
                engine.look(request.org(), (organisation, now) -> new Insight(organisation, now).why(run.run()));
        return Answer.ok(
                new WhyAnswer(run.run(), null, null, Words.of(run.state()), Reasons.of(why.orElse(List.of()))));
    }

    private Answer time(Request request) {
        RunRecord run = record(request.allow());
        return engine.weir()
                .records()
                .makespan(request.org(), run.run())
                .map(spent -> Answer.ok(TimeViews.of(run, spent)))
                .orElseThrow(() -> Refused.of(
                        Problem.Kind.CONFLICT,
                        "expected a run that has ended, found run " + run.run() + " " + Words.of(run.state())
                                + "; what it waits for now is at /v1/runs/" + run.run() + "/why"));
    }

    private Answer cancel(Request request) throws Exception {
        String run = request.allow().path("run");
        CancelRequest body = request.bodyOr(CancelRequest.class, new CancelRequest(null, null));
        String reason = body.reason() == null ? "cancelled by an operator" : body.reason();
        if (reason.length() > REASON_CHARS_MAX) {
            throw Refused.invalid("/reason", "at most " + REASON_CHARS_MAX + " characters", reason.length() + "");
        }
        return switch (engine.send(request.org(), new CancelRun(run, policy(body.policy()), reason))) {
            case CancelRun.Answer.Cancelling cancelling ->
                Answer.ok(new RunAction(run, Words.of(cancelling.state()), true, null));
            case CancelRun.Answer.AlreadyEnded ended ->
                Answer.ok(new RunAction(run, Words.of(ended.state()), false, "it had ended before"));
            case CancelRun.Answer.NotFound ignored -> ended(request);
        };
    }

    private static @Nullable CancelPolicy policy(@Nullable String word) {
        return word == null
                ? null
                : Arrays.stream(CancelPolicy.values())
                        .filter(policy -> Words.of(policy).equals(word))
                        .findFirst()
                        .orElseThrow(
                                () -> Refused.invalid("/policy", "allow_finish or cancel_running", "'" + word + "'"));
    }

    /** A run that memory does not know: it ended long ago, or never was. */
    private Answer ended(Request request) {
        RunRecord run = record(request);
        return Answer.ok(new RunAction(run.run(), Words.of(run.state()), false, "it had ended before"));
    }

    private Answer pause(Request request) throws Exception {
        String run = request.allow().path("run");
        return switch (engine.send(request.org(), new PauseRun(run))) {
            case PAUSED -> Answer.ok(new RunAction(run, "paused", true, null));
            case ALREADY_PAUSED -> Answer.ok(new RunAction(run, "paused", false, null));
            case ENDING -> throw Refused.of(Problem.Kind.CONFLICT, "run " + run + " is on its way to its end");
            case NOT_FOUND -> throw hasEnded(request);
        };
    }

    private Answer resume(Request request) throws Exception {
        String run = request.allow().path("run");
        var done = engine.send(request.org(), AndState.ofRun(new ResumeRun(run), run));
        return switch (done.answer()) {
            case RESUMED -> Answer.ok(RunViews.action(run, done, true, null));
            case NOT_PAUSED -> Answer.ok(RunViews.action(run, done, false, "it was not paused"));
            case NOT_FOUND -> throw hasEnded(request);
        };
    }

    private Refused hasEnded(Request request) {
        RunRecord run = record(request);
        return Refused.of(Problem.Kind.CONFLICT, "run " + run.run() + " has ended as " + Words.of(run.state()));
    }

    private Answer override(Request request) throws Exception {
        String run = request.allow().path("run");
        Overrides body = request.body(Overrides.class);
        boolean clear = body.maxParallel() == null && body.maxConcurrentSteps() == null;
        var values = clear ? null : new RunGate.Overrides(body.maxConcurrentSteps(), body.maxParallel());
        var done = engine.send(request.org(), AndState.ofRun(new OverrideRun(run, values), run));
        return switch (done.answer()) {
            case OVERRIDDEN -> Answer.ok(RunViews.action(run, done, true, warning(request.org(), run, body)));
            case NOT_FOUND -> throw hasEnded(request);
        };
    }

    /** Names a step that is wider than the override: it is held, never failed. */
    private @Nullable String warning(String org, String run, Overrides body) throws Exception {
        Integer slots = body.maxParallel();
        if (slots == null) {
            return null;
        }
        Optional<String> warning = engine.look(
                org,
                (organisation, now) -> organisation
                        .findRun(run)
                        .flatMap(row -> row.request().plan().workflow().steps().stream()
                                .filter(step -> slotsOf(step) > slots)
                                .findFirst())
                        .map(step -> "step " + step.id() + " needs " + slotsOf(step) + " slots: while max_parallel is "
                                + slots + " it is held as over_capacity"));
        return warning.orElse(null);
    }

    private static int slotsOf(Step step) {
        Integer slots = step.demand().slots();
        return slots == null ? 1 : slots;
    }
}
