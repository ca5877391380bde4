package dev.weir.server.routes;

import dev.weir.api.Logs.LogPiece;
import dev.weir.api.Logs.LogResult;
import dev.weir.api.Logs.LogResults;
import dev.weir.api.Logs.LogView;
import dev.weir.api.Work;
import dev.weir.core.definition.Bounds;
import dev.weir.core.life.UnitId;
import dev.weir.engine.log.Logs;
import dev.weir.engine.log.Piece;
import dev.weir.engine.log.Said;
import dev.weir.engine.records.StepRecord;
import dev.weir.server.http.Answer;
import dev.weir.server.http.Refused;
import dev.weir.server.http.Request;
import dev.weir.server.http.Routing;
import dev.weir.server.http.Routing.Method;
import dev.weir.server.view.Words;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** What tries say: kept for workers, shown to people. Nothing of it goes through the loop. */
final class LogRoutes {
    private final Engine engine;

    LogRoutes(Engine engine) {
        this.engine = engine;
    }

    void add(Routing routing) {
        routing.on(Method.POST, "/v1/logs", this::keep);
        routing.on(Method.GET, "/v1/runs/{run}/steps/{step}/logs", this::show);
    }

    private Logs logs() {
        return engine.weir().records().logs();
    }

    private Answer keep(Request request) throws Exception {
        var batch = new Batch<LogPiece, Logs.Kept, LogResult>(
                (entry, at) -> CompletableFuture.completedFuture(logs().append(request.org(), piece(entry, at))),
                (entry, answer) -> new LogResult(
                        entry.run(),
                        entry.step(),
                        entry.item(),
                        entry.fence(),
                        answer.name().toLowerCase(Locale.ROOT),
                        null),
                (entry, why) -> new LogResult(
                        entry.named("run"), entry.named("step"), entry.item(), entry.fence(), Work.REFUSED, why));
        var entries = request.allow().entries("logs", LogPiece.class);
        return Answer.ok(new LogResults(batch.carryOut(engine, entries)));
    }

    private static Piece piece(LogPiece entry, String at) {
        Integer item = entry.item();
        if (item != null && item < 0) {
            throw Refused.invalid(at + "/item", "an index from 0", item.toString());
        }
        var unit = new UnitId(entry.run(), entry.step(), item == null ? UnitId.NO_ITEM : item);
        return new Piece(unit, entry.fence(), entry.from(), entry.text());
    }

    private Answer show(Request request) {
        request.allow("item", "attempt", "after");
        int item = request.wholeNumber("item", UnitId.NO_ITEM, 0, Bounds.ITEMS_FROM_RANGE_MAX);
        int asked = request.wholeNumber("attempt", 0, 1, Integer.MAX_VALUE);
        Integer attempt = asked == 0 ? null : (Integer) asked;
        var unit = new UnitId(request.path("run"), request.path("step"), item);
        StepRecord step = engine.weir()
                .records()
                .findStep(request.org(), unit)
                .orElseThrow(() -> Refused.notFound(item == UnitId.NO_ITEM ? "step" : "item", unit.toString()));
        Said said = read(request, unit, attempt);
        return Answer.ok(new LogView(
                unit.run(),
                unit.step(),
                Words.item(item),
                said.attempt(),
                said.text(),
                said.cut(),
                Words.of(step.state()),
                said.next()));
    }

    private Said read(Request request, UnitId unit, @Nullable Integer attempt) {
        String after = request.query("after").orElse("");
        try {
            return logs().read(request.org(), unit, attempt, after);
        } catch (IllegalArgumentException e) {
            throw Refused.invalid("?after", "the next of an earlier answer", "'" + after + "'");
        }
    }
}
