package dev.weir.postgres.records;

import dev.weir.core.limit.Moment;
import dev.weir.core.state.RunEnding;
import dev.weir.core.state.RunRow;
import dev.weir.engine.records.RunRecord;
import dev.weir.postgres.json.RunJson;
import dev.weir.postgres.json.StartJson;
import dev.weir.postgres.json.StateCodes;
import dev.weir.postgres.json.StoredJson;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Reads rows of runs as records for people. */
final class RunRecordRows {
    private RunRecordRows() {}

    /**
     * A run and the data needed to read its steps.
     *
     * @param firstInput the input of the start; values that rows of steps leave out are computed from it
     */
    record FoundRun(RunRecord run, JsonNode firstInput) {}

    static FoundRun read(ResultSet found) throws SQLException {
        JsonNode firstInput = StoredJson.read(found.getString("input"));
        RunRow.Detail detail = RunJson.readDetail(found.getString("detail"));
        return new FoundRun(of(found, detail, detail.input() == null ? firstInput : detail.input()), firstInput);
    }

    /** Reads a run of a list. Its row does not contain the input. */
    static RunRecord readListed(ResultSet found) throws SQLException {
        return of(found, RunJson.readDetail(found.getString("detail")), JsonNodeFactory.instance.missingNode());
    }

    private static RunRecord of(ResultSet found, RunRow.Detail detail, JsonNode input) throws SQLException {
        RunEnding ending = RunJson.readEnding(found.getString("ending"));
        return new RunRecord(
                found.getString("id"),
                found.getLong("number"),
                found.getString("workflow"),
                found.getInt("version"),
                StateCodes.run(found.getString("state")),
                found.getInt("priority"),
                input,
                RunJson.readLabels(found.getString("labels")),
                new RunRecord.Times(
                        Moment.toInstant(found.getLong("accepted_at")),
                        instant(found, "started_at"),
                        instant(found, "ended_at")),
                ending == null ? null : ending.reason(),
                StartJson.readStart(found.getString("start_options"))
                        .origin()
                        .withStartedBy(found.getString("started_by")),
                detail.waited(),
                RunRecord.Deadline.of(detail));
    }

    static @Nullable Instant instant(ResultSet found, String column) throws SQLException {
        long micros = found.getLong(column);
        return found.wasNull() ? null : Moment.toInstant(micros);
    }
}
