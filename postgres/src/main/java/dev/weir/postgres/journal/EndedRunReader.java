package dev.weir.postgres.journal;

import dev.weir.core.plan.Plan;
import dev.weir.core.state.EndedRun;
import dev.weir.core.state.RunState;
import dev.weir.core.state.UnitId;
import dev.weir.postgres.json.StateCodes;
import dev.weir.postgres.sql.SqlStatements;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Reads the runs that have ended and the last reports of their units, as far as memory keeps them. */
final class EndedRunReader {
    private static final SqlStatements SQL = SqlStatements.of(EndedRunReader.class);

    /** The number of rows fetched at once. */
    private static final int FETCH = 5_000;

    /**
     * The number of most recently ended runs, of all organisations, that are searched for those of one. Older runs are
     * read when they are needed.
     */
    private static final int LAST = 5 * EndedRun.RUNS_MAX;

    private final PostgresShardOwnership tenure;
    private final int org;
    private long newest = Long.MIN_VALUE;

    EndedRunReader(PostgresShardOwnership tenure, int org) {
        this.tenure = tenure;
        this.org = org;
    }

    /** A run that has ended, and its reports as far as they were read. */
    private record Found(
            long number,
            String id,
            RunState state,
            int body,
            Plan plan,
            Span span,
            Map<UnitId, EndedRun.Report> reports) {
        EndedRun remembered() {
            return new EndedRun(id, state, body, reports);
        }

        /** Adds a report. Like memory, it keeps only the first reports read if there are very many items. */
        void report(ResultSet found) throws SQLException {
            if (reports.size() >= EndedRun.UNITS_MAX && found.getInt("item") != UnitId.NO_ITEM) {
                return;
            }
            var unit = new UnitId(id, plan.stepAt(found.getInt("step")), found.getInt("item"));
            reports.put(unit, new EndedRun.Report(found.getLong("fence"), found.getInt("report_hash")));
        }
    }

    /** The times at which a run was accepted and ended, and its position among the ended runs. */
    private record Span(long acceptedAt, long endedAt, long seq) {}

    /** Returns the newest end time that was read. */
    long newest() {
        return newest;
    }

    /** Returns the runs that ended last, oldest first, as many as memory keeps. */
    List<EndedRun> last() throws SQLException {
        List<Found> runs = new ArrayList<>();
        try (var statement = tenure.connection.prepareStatement(SQL.get("last"))) {
            statement.setInt(1, org);
            statement.setInt(2, LAST);
            statement.setInt(3, EndedRun.RUNS_MAX);
            readRuns(statement, runs);
        }
        long after = runs.isEmpty() ? 0 : readLastReports(runs);
        List<EndedRun> oldestFirst = new ArrayList<>();
        for (Found run : runs.reversed()) {
            if (run.span.seq > after) {
                oldestFirst.add(run.remembered());
            }
        }
        return oldestFirst;
    }

    /** Reads reports until there are too many. Only runs that ended after the returned position are kept. */
    private long readLastReports(List<Found> runs) throws SQLException {
        Map<Long, Found> bySeq = new HashMap<>();
        runs.forEach(run -> bySeq.put(run.span.seq, run));
        long first = runs.getFirst().span.seq;
        try (var statement = tenure.connection.prepareStatement(SQL.get("last_reports"))) {
            statement.setFetchSize(FETCH);
            statement.setInt(1, org);
            statement.setInt(2, LAST);
            statement.setInt(3, EndedRun.RUNS_MAX);
            statement.setInt(4, org);
            try (var found = statement.executeQuery()) {
                for (int units = 1; found.next(); units++) {
                    long seq = found.getLong("ended_seq");
                    if (units > EndedRun.UNITS_MAX && seq != first) {
                        return seq;
                    }
                    Objects.requireNonNull(bySeq.get(seq)).report(found);
                }
            }
        }
        return 0;
    }

    List<EndedRun> byId(String[] ids) throws SQLException {
        List<Found> runs = new ArrayList<>();
        try (var statement = tenure.connection.prepareStatement(SQL.get("by_id"))) {
            statement.setInt(1, org);
            statement.setArray(2, tenure.connection.createArrayOf("text", ids));
            readRuns(statement, runs);
        }
        for (Found run : runs) {
            readReports(run);
        }
        return runs.stream().map(Found::remembered).toList();
    }

    private void readReports(Found run) throws SQLException {
        try (var statement = tenure.connection.prepareStatement(SQL.get("reports"))) {
            statement.setFetchSize(FETCH);
            statement.setInt(1, org);
            statement.setLong(2, run.number);
            statement.setLong(3, run.span.acceptedAt);
            statement.setLong(4, run.span.endedAt);
            try (var found = statement.executeQuery()) {
                while (found.next()) {
                    run.report(found);
                }
            }
        }
    }

    private void readRuns(PreparedStatement statement, List<Found> into) throws SQLException {
        try (var found = statement.executeQuery()) {
            while (found.next()) {
                var span =
                        new Span(found.getLong("accepted_at"), found.getLong("ended_at"), found.getLong("ended_seq"));
                newest = Math.max(newest, span.endedAt);
                into.add(new Found(
                        found.getLong("number"),
                        found.getString("id"),
                        StateCodes.run(found.getString("state")),
                        found.getInt("request_hash"),
                        tenure.plan(org, found.getString("workflow"), found.getInt("version")),
                        span,
                        new HashMap<>()));
            }
        }
    }
}
