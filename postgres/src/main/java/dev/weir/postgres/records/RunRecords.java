package dev.weir.postgres.records;

import dev.weir.core.life.Ending;
import dev.weir.core.life.RunRow;
import dev.weir.core.limit.Moment;
import dev.weir.engine.records.RunRecord;
import dev.weir.postgres.json.Json;
import dev.weir.postgres.json.RunJson;
import dev.weir.postgres.json.StartJson;
import dev.weir.postgres.json.States;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Rows of runs as people look at them. */
final class RunRecords {
    private RunRecords() {}

    /**
     * A run, with what its steps are read by.
     *
     * @param firstInput that with which it was started: what rows of steps leave out is told from it
     */
    record Found(RunRecord run, JsonNode firstInput) {}

    static Found found(ResultSet found) throws SQLException {
        return new Found(of(found), Json.read(found.getString("input")));
    }

    static RunRecord of(ResultSet found) throws SQLException {
        Ending ending = RunJson.readEnding(found.getString("ending"));
        RunRow.Detail detail = RunJson.readDetail(found.getString("detail"));
        return new RunRecord(
                found.getString("id"),
                found.getLong("number"),
                found.getString("workflow"),
                found.getInt("version"),
                States.run(found.getString("state")),
                found.getInt("priority"),
                detail.input() == null ? Json.read(found.getString("input")) : detail.input(),
                RunJson.readLabels(found.getString("labels")),
                new RunRecord.Times(
                        Moment.toInstant(found.getLong("accepted_at")),
                        instant(found, "started_at"),
                        instant(found, "ended_at")),
                ending == null ? null : ending.reason(),
                StartJson.readStart(found.getString("start")).origin(),
                detail.waited(),
                RunRecord.Deadline.of(detail));
    }

    static @Nullable Instant instant(ResultSet found, String column) throws SQLException {
        long micros = found.getLong(column);
        return found.wasNull() ? null : Moment.toInstant(micros);
    }
}
