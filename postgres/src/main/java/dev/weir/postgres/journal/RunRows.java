package dev.weir.postgres.journal;

import dev.weir.core.life.Plan;
import dev.weir.core.life.RunRow;
import dev.weir.core.life.StartRun;
import dev.weir.postgres.json.Json;
import dev.weir.postgres.json.RunJson;
import dev.weir.postgres.json.StartJson;
import dev.weir.postgres.json.States;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rows of runs: what is written for one, and what is read. */
final class RunRows {
    private RunRows() {}

    /** @param opened steps that are written with it */
    static @Nullable Object[] whole(int org, RunRow row, @Nullable String opened) {
        List<@Nullable Object> columns = columns(org, row);
        columns.add(opened);
        return columns.toArray();
    }

    /** @param steps steps that are written with it */
    static @Nullable Object[] history(int org, RunRow row, long endedAt, @Nullable String steps) {
        List<@Nullable Object> columns = columns(org, row);
        columns.add(endedAt);
        columns.add(row.request().fingerprint());
        columns.add(steps);
        return columns.toArray();
    }

    private static List<@Nullable Object> columns(int org, RunRow row) {
        StartRun request = row.request();
        Plan plan = request.plan();
        return new ArrayList<>(Arrays.<@Nullable Object>asList(
                org,
                row.number(),
                row.id(),
                plan.workflow().name(),
                plan.version(),
                (short) request.priority(),
                States.letter(row.state()),
                row.acceptedAt(),
                ifAny(row.startedAt()),
                ifAny(row.lastGrantAt()),
                row.startsInTick() == 0 ? null : row.startsInTick(),
                RunJson.labels(request.labels()),
                StartJson.start(request),
                RunJson.ask(row),
                RunJson.ending(row.ending()),
                RunJson.overrides(row.overrides()),
                RunJson.detail(row.detail())));
    }

    /** @param opened steps that are written with it; absent = what was written stays */
    static @Nullable Object[] changing(int org, RunRow row, @Nullable String opened) {
        return new @Nullable Object[] {
            org,
            row.number(),
            States.letter(row.state()),
            ifAny(row.startedAt()),
            ifAny(row.lastGrantAt()),
            row.startsInTick() == 0 ? null : row.startsInTick(),
            RunJson.ask(row),
            RunJson.ending(row.ending()),
            RunJson.overrides(row.overrides()),
            RunJson.detail(row.detail()),
            opened
        };
    }

    private static @Nullable Long ifAny(long time) {
        return time == RunRow.NOT_STARTED ? null : time;
    }

    private static long orNone(long time, boolean none) {
        return none ? RunRow.NOT_STARTED : time;
    }

    /** A run that lives, from a row of table runs. */
    static RunRow read(ResultSet found, Plan plan) throws SQLException {
        int priority = found.getInt("priority");
        StartJson.Start start = StartJson.readStart(found.getString("start"));
        var request = new StartRun(
                found.getString("id"),
                plan,
                Json.read(found.getString("input")),
                priority,
                start.flowControl(),
                RunJson.readLabels(found.getString("labels")),
                start.options(),
                start.origin());
        long startedAt = found.getLong("started_at");
        boolean notStarted = found.wasNull();
        long lastGrantAt = found.getLong("last_grant_at");
        boolean noGrant = found.wasNull();
        return new RunRow(
                request,
                found.getLong("number"),
                RunJson.readAsk(found.getString("ask"), plan.workflow().name(), priority),
                found.getLong("accepted_at"),
                orNone(startedAt, notStarted),
                States.run(found.getString("state")),
                RunJson.readEnding(found.getString("ending")),
                RunJson.readOverrides(found.getString("overrides")),
                orNone(lastGrantAt, noGrant),
                found.getInt("starts_in_tick"),
                RunJson.readDetail(found.getString("detail")));
    }
}
