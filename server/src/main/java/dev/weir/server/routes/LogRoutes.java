package dev.weir.server.routes;

import dev.weir.api.Logs.LogEntry;
import dev.weir.api.Logs.LogPage;
import dev.weir.api.Logs.LogPiece;
import dev.weir.api.Logs.LogResult;
import dev.weir.api.Logs.LogResults;
import dev.weir.api.Logs.LogView;
import dev.weir.api.Work;
import dev.weir.core.definition.DefinitionBounds;
import dev.weir.core.state.Permission;
import dev.weir.core.state.UnitId;
import dev.weir.engine.log.LogChunk;
import dev.weir.engine.log.LogStore;
import dev.weir.engine.log.LogTail;
import dev.weir.engine.records.LoggedAttempt;
import dev.weir.engine.records.RecordPage;
import dev.weir.engine.records.StepRecord;
import dev.weir.server.http.RefusedRequest;
import dev.weir.server.http.Request;
import dev.weir.server.http.Response;
import dev.weir.server.http.Routing;
import dev.weir.server.http.Routing.Method;
import dev.weir.server.view.WireWords;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The routes that store and show the logs of attempts. Logs do not pass through the shard's loop. */
final class LogRoutes {
    private final EngineGateway engine;

    LogRoutes(EngineGateway engine) {
        this.engine = engine;
    }

    void add(Routing routing) {
        routing.route(Method.POST, "/v1/logs", Permission.WORK, this::store);
        routing.route(Method.GET, "/v1/logs", Permission.READ, this::list);
        routing.route(Method.GET, "/v1/runs/{run}/steps/{step}/logs", Permission.READ, this::show);
    }

    private LogStore logs() {
        return engine.weir().records().logs();
    }

    private Response store(Request request) throws Exception {
        var batch = new BatchRequest<LogPiece, LogStore.AppendResult, LogResult>(
                (entry, at) -> CompletableFuture.completedFuture(engine.weir().log(request.org(), toChunk(entry, at))),
                (entry, answer) -> new LogResult(
                        entry.run(),
                        entry.step(),
                        entry.item(),
                        entry.fence(),
                        answer.name().toLowerCase(Locale.ROOT),
                        null),
                (entry, why) -> new LogResult(
                        entry.textField("run"),
                        entry.textField("step"),
                        entry.item(),
                        entry.fence(),
                        Work.REFUSED,
                        why));
        var entries = request.allowQueries().entries("logs", LogPiece.class);
        return Response.ok(new LogResults(batch.execute(engine, entries)));
    }

    private static LogChunk toChunk(LogPiece entry, String at) {
        Integer item = entry.item();
        if (item != null && item < 0) {
            throw RefusedRequest.invalid(at + "/item", "an index of at least 0", item.toString());
        }
        var unit = new UnitId(entry.run(), entry.step(), item == null ? UnitId.NO_ITEM : item);
        return new LogChunk(unit, entry.fence(), entry.from(), entry.text());
    }

    private Response list(Request request) {
        request.allowQueries("key", "cursor", "limit");
        String key = request.query("key").orElseThrow(() -> RefusedRequest.invalid("?key", "a key", "nothing"));
        RecordPage<LoggedAttempt> page = PageParameters.page(
                request, asked -> engine.weir().records().loggedAttempts(request.org(), key, asked));
        return Response.ok(new LogPage(
                page.entries().stream().map(LogRoutes::entry).toList(),
                page.next().isEmpty() ? null : page.next()));
    }

    private static LogEntry entry(LoggedAttempt attempt) {
        UnitId unit = attempt.unit();
        return new LogEntry(
                unit.run(),
                unit.step(),
                WireWords.item(unit.item()),
                attempt.attempt(),
                attempt.lastAt(),
                attempt.end(),
                attempt.truncated());
    }

    private Response show(Request request) {
        request.allowQueries("item", "attempt", "after");
        int item = request.intQuery("item", UnitId.NO_ITEM, 0, DefinitionBounds.ITEMS_FROM_RANGE_MAX);
        int requestedAttempt = request.intQuery("attempt", 0, 1, Integer.MAX_VALUE);
        Integer attempt = requestedAttempt == 0 ? null : (Integer) requestedAttempt;
        var unit = new UnitId(request.path("run"), request.path("step"), item);
        StepRecord step = engine.weir()
                .records()
                .findStep(request.org(), unit)
                .orElseThrow(() -> RefusedRequest.notFound(item == UnitId.NO_ITEM ? "step" : "item", unit.toString()));
        LogTail tail = read(request, unit, attempt);
        return Response.ok(new LogView(
                unit.run(),
                unit.step(),
                WireWords.item(item),
                tail.attempt(),
                tail.text(),
                tail.truncated(),
                WireWords.of(step.state()),
                tail.next()));
    }

    private LogTail read(Request request, UnitId unit, @Nullable Integer attempt) {
        String after = request.query("after").orElse("");
        try {
            return logs().read(request.org(), unit, attempt, after);
        } catch (IllegalArgumentException e) {
            throw RefusedRequest.invalid("?after", "the value of next of an earlier response", "'" + after + "'");
        }
    }
}
