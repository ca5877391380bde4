package dev.weir.postgres.journal;

import dev.weir.core.plan.Plan;
import dev.weir.core.state.RunRow;
import dev.weir.core.state.StepRow;
import dev.weir.core.state.UnitId;
import dev.weir.engine.journal.PastRun;
import dev.weir.postgres.sql.SqlStatements;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads a run that has ended, so that it can be retried. */
final class HistoryReader {
    private static final SqlStatements SQL = SqlStatements.of(HistoryReader.class);

    private final PostgresShardOwnership ownership;
    private final int org;

    HistoryReader(PostgresShardOwnership ownership, int org) {
        this.ownership = ownership;
        this.org = org;
    }

    Optional<PastRun> find(String run) throws SQLException {
        try (var statement = ownership.connection.prepareStatement(SQL.get("run"))) {
            statement.setInt(1, org);
            statement.setString(2, run);
            try (var found = statement.executeQuery()) {
                if (!found.next()) {
                    return Optional.empty();
                }
                Plan plan = ownership.plan(org, found.getString("workflow"), found.getInt("version"));
                RunRow row = RunRows.read(found, plan);
                return Optional.of(new PastRun(row, steps(row, found.getLong("ended_at"))));
            }
        }
    }

    private List<StepRow> steps(RunRow run, long endedAt) throws SQLException {
        List<StepRow> steps = new ArrayList<>();
        StepRows.RunData runData = StepRows.RunData.of(run.request());
        try (var statement = ownership.connection.prepareStatement(SQL.get("steps"))) {
            statement.setInt(1, org);
            statement.setLong(2, run.number());
            statement.setLong(3, run.acceptedAt());
            statement.setLong(4, endedAt);
            try (var found = statement.executeQuery()) {
                while (found.next()) {
                    String step = run.request().plan().stepIdAt(found.getInt("step"));
                    steps.add(StepRows.read(found, UnitId.of(run.id(), step), runData));
                }
            }
        }
        return steps;
    }
}
