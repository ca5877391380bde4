package dev.weir.server.routes;

import dev.weir.api.Bulk.BulkCancelRequest;
import dev.weir.api.Bulk.BulkFailure;
import dev.weir.api.Bulk.BulkFilter;
import dev.weir.api.Bulk.BulkPreview;
import dev.weir.api.Bulk.BulkRetryRequest;
import dev.weir.api.Bulk.BulkView;
import dev.weir.api.DeadLetters.DeadLetterPreview;
import dev.weir.api.DeadLetters.DeadLetterView;
import dev.weir.api.Problem;
import dev.weir.api.Runs.RunSummary;
import dev.weir.core.state.Permission;
import dev.weir.core.state.RunState;
import dev.weir.engine.BulkRuns;
import dev.weir.engine.BulkRuns.BeginResult;
import dev.weir.engine.BulkTarget;
import dev.weir.engine.records.BulkOperation;
import dev.weir.engine.records.BulkOperation.Action;
import dev.weir.engine.records.BulkOperation.Task;
import dev.weir.engine.records.RunFilter;
import dev.weir.server.http.RefusedRequest;
import dev.weir.server.http.Request;
import dev.weir.server.http.Response;
import dev.weir.server.http.Routing;
import dev.weir.server.http.Routing.Method;
import dev.weir.server.view.RunViews;
import dev.weir.server.view.WireWords;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The routes that cancel or retry all runs that match a filter, and show the progress of that. */
final class BulkRoutes {
    private static final Logger LOG = LoggerFactory.getLogger(BulkRoutes.class);
    private static final int ACCEPTED = 202;
    private static final Set<RunState> RETRYABLE = EnumSet.of(RunState.FAILED, RunState.CANCELLED);

    private final EngineGateway engine;

    BulkRoutes(EngineGateway engine) {
        this.engine = engine;
    }

    void add(Routing routing) {
        routing.route(Method.POST, "/v1/runs/cancel", Permission.OPERATE, this::cancel);
        routing.route(Method.POST, "/v1/runs/retry", Permission.OPERATE, this::retry);
        routing.route(Method.GET, "/v1/bulk/{operation}", Permission.READ, this::get);
    }

    private BulkRuns bulk() {
        return engine.weir().bulk();
    }

    private Response cancel(Request request) {
        BulkCancelRequest body = request.allowQueries().body(BulkCancelRequest.class);
        Set<RunState> live = Arrays.stream(RunState.values())
                .filter(state -> !state.ended())
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(RunState.class)));
        RunFilter filter = filter(body.filter(), live, live);
        var task = new Task(
                Action.CANCEL,
                filter,
                ids(body.filter()),
                RunRoutes.policy(body.policy()),
                note(request, body.reason()));
        return respond(request, task, Boolean.TRUE.equals(body.dryRun()));
    }

    private Response retry(Request request) {
        BulkRetryRequest body = request.allowQueries().body(BulkRetryRequest.class);
        RunFilter filter = filter(body.filter(), EnumSet.of(RunState.FAILED), RETRYABLE);
        var task = new Task(Action.RETRY, filter, ids(body.filter()), null, note(request, body.reason()));
        return respond(request, task, Boolean.TRUE.equals(body.dryRun()));
    }

    static BulkOperation.Note note(Request request, @Nullable String reason) {
        return new BulkOperation.Note(request.attribution().actor(), reason);
    }

    private static List<String> ids(BulkFilter filter) {
        return filter.ids() == null ? List.of() : filter.ids();
    }

    private static RunFilter filter(BulkFilter filter, Set<RunState> defaultStates, Set<RunState> allowed) {
        Set<RunState> states = EnumSet.noneOf(RunState.class);
        List<String> words = filter.state() == null ? List.of() : filter.state();
        for (int i = 0; i < words.size(); i++) {
            states.add(state("/filter/state/" + i, words.get(i), allowed));
        }
        return new RunFilter(
                states.isEmpty() ? defaultStates : states,
                filter.workflow(),
                filter.labels() == null ? Map.of() : filter.labels(),
                filter.key());
    }

    private static RunState state(String pointer, String word, Set<RunState> allowed) {
        return allowed.stream()
                .filter(state -> WireWords.of(state).equals(word))
                .findFirst()
                .orElseThrow(() -> RefusedRequest.invalid(
                        pointer,
                        "one of " + allowed.stream().map(WireWords::of).collect(Collectors.joining(", ")),
                        "'" + word + "'"));
    }

    /** Previews or begins an operation. */
    Response respond(Request request, Task task, boolean dryRun) {
        if (dryRun) {
            BulkRuns.Preview preview = bulk().preview(request.org(), task);
            return Response.ok(preview(task, preview));
        }
        String id = request.header("Idempotency-Key")
                .map(StartRoutes::idFromKey)
                .orElseGet(() -> "bulk-" + UUID.randomUUID());
        return switch (bulk().begin(request.org(), id, task)) {
            case BeginResult.Begun begun -> {
                LOG.info(
                        "Organisation {}: operation {} to {} {} {} has begun; reason: {}",
                        request.org(),
                        id,
                        WireWords.of(task.action()),
                        begun.operation().expected() == null
                                ? "many"
                                : begun.operation().expected(),
                        task.action().isOfDeadLetters() ? "dead letters" : "runs",
                        task.note().reason() == null
                                ? "not given"
                                : KeyRoutes.toSingleLine(task.note().reason()));
                yield new Response(ACCEPTED, view(begun.operation()), Map.of("Location", "/v1/bulk/" + id));
            }
            case BeginResult.Existing existing -> Response.ok(view(existing.operation()));
            case BeginResult.OtherTask ignored ->
                throw RefusedRequest.of(
                        Problem.Kind.REFUSED,
                        "this Idempotency-Key has begun another operation; use another key for a different body");
            case BeginResult.TooMany many ->
                throw RefusedRequest.of(
                        Problem.Kind.CONFLICT,
                        "expected fewer than " + BulkRuns.UNFINISHED_MAX + " operations at once, found "
                                + many.unfinished() + "; wait until one has ended");
        };
    }

    private static Object preview(Task task, BulkRuns.Preview found) {
        String action = WireWords.of(task.action());
        if (task.action().isOfDeadLetters()) {
            List<DeadLetterView> sample = new ArrayList<>();
            for (BulkTarget target : found.sample()) {
                if (target instanceof BulkTarget.OfDeadLetter letter) {
                    sample.add(DeadLetterRoutes.view(letter.found()));
                }
            }
            return new DeadLetterPreview(action, found.matching(), found.isExact(), sample);
        }
        List<RunSummary> sample = new ArrayList<>();
        for (BulkTarget target : found.sample()) {
            if (target instanceof BulkTarget.OfRun run) {
                sample.add(RunViews.summary(run.run()));
            }
        }
        return new BulkPreview(action, found.matching(), found.isExact(), sample);
    }

    private Response get(Request request) {
        String id = request.allowQueries().path("operation");
        return bulk().find(request.org(), id)
                .map(found -> Response.ok(view(found)))
                .orElseThrow(() -> RefusedRequest.notFound("operation", id));
    }

    private static BulkView view(BulkOperation operation) {
        BulkOperation.Progress progress = operation.progress();
        return new BulkView(
                operation.id(),
                WireWords.of(operation.task().action()),
                operation.endedAt() == null ? "running" : "completed",
                operation.createdAt(),
                operation.endedAt(),
                operation.expected(),
                progress.changed() + progress.unchanged() + progress.failed(),
                progress.changed(),
                progress.unchanged(),
                progress.failed(),
                progress.failures().stream()
                        .map(failure -> new BulkFailure(failure.id(), failure.error()))
                        .toList());
    }
}
