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
import tools.jackson.databind.node.JsonNodeFactory;

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
        JsonNode first = Json.read(found.getString("input"));
        RunRow.Detail detail = RunJson.readDetail(found.getString("detail"));
        return new Found(of(found, detail, detail.input() == null ? first : detail.input()), first);
    }

    /** A run of a list, whose row comes without its input. */
    static RunRecord listed(ResultSet found) throws SQLException {
        return of(found, RunJson.readDetail(found.getString("detail")), JsonNodeFactory.instance.missingNode());
    }

    private static RunRecord of(ResultSet found, RunRow.Detail detail, JsonNode input) throws SQLException {
        Ending ending = RunJson.readEnding(found.getString("ending"));
        return new RunRecord(
                found.getString("id"),
                found.getLong("number"),
                found.getString("workflow"),
                found.getInt("version"),
                States.run(found.getString("state")),
                found.getInt("priority"),
                input,
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
