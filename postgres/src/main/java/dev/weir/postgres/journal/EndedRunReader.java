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
    private static final int FETCH_ROWS = 5_000;

    /**
     * The number of most recently ended runs, of all organisations, that are searched for those of one. Older runs are
     * read when they are needed.
     */
    private static final int SEARCHED_RUNS_MAX = 5 * EndedRun.RUNS_MAX;

    private final OrganisationReader reader;
    private final int org;
    private long newestEnd = Long.MIN_VALUE;

    EndedRunReader(OrganisationReader reader, int org) {
        this.reader = reader;
        this.org = org;
    }

    /** A run that has ended, and its reports as far as they were read. */
    private record EndedRunRow(
            long number,
            String id,
            RunState state,
            int requestHash,
            Plan plan,
            RunTimes times,
            Map<UnitId, EndedRun.Report> reports) {
        EndedRun toEndedRun() {
            return new EndedRun(id, state, requestHash, reports);
        }

        /** Adds a report. Like memory, it keeps only the first reports read if there are very many items. */
        void addReport(ResultSet found) throws SQLException {
            if (reports.size() >= EndedRun.UNITS_MAX && found.getInt("item") != UnitId.NO_ITEM) {
                return;
            }
            var unit = new UnitId(id, plan.stepIdAt(found.getInt("step")), found.getInt("item"));
            reports.put(unit, new EndedRun.Report(found.getLong("fence"), found.getInt("report_hash")));
        }
    }

    /** The times at which a run was accepted and ended, and its position among the ended runs. */
    private record RunTimes(long acceptedAt, long endedAt, long seq) {}

    /** Returns the newest end time that was read. */
    long newestEnd() {
        return newestEnd;
    }

    /** Returns the runs that ended last, oldest first, as many as memory keeps. */
    List<EndedRun> readLast() throws SQLException {
        List<EndedRunRow> runs = new ArrayList<>();
        try (var statement = reader.connection.prepareStatement(SQL.get("last"))) {
            statement.setInt(1, org);
            statement.setInt(2, SEARCHED_RUNS_MAX);
            statement.setInt(3, EndedRun.RUNS_MAX);
            readRuns(statement, runs);
        }
        long after = runs.isEmpty() ? 0 : readLastReports(runs);
        List<EndedRun> oldestFirst = new ArrayList<>();
        for (EndedRunRow run : runs.reversed()) {
            if (run.times.seq > after) {
                oldestFirst.add(run.toEndedRun());
            }
        }
        return oldestFirst;
    }

    /** Reads reports until there are too many. Only runs that ended after the returned position are kept. */
    private long readLastReports(List<EndedRunRow> runs) throws SQLException {
        Map<Long, EndedRunRow> bySeq = new HashMap<>();
        runs.forEach(run -> bySeq.put(run.times.seq, run));
        long first = runs.getFirst().times.seq;
        try (var statement = reader.connection.prepareStatement(SQL.get("last_reports"))) {
            statement.setFetchSize(FETCH_ROWS);
            statement.setInt(1, org);
            statement.setInt(2, SEARCHED_RUNS_MAX);
            statement.setInt(3, EndedRun.RUNS_MAX);
            statement.setInt(4, org);
            try (var found = statement.executeQuery()) {
                for (int units = 1; found.next(); units++) {
                    long seq = found.getLong("ended_seq");
                    if (units > EndedRun.UNITS_MAX && seq != first) {
                        return seq;
                    }
                    Objects.requireNonNull(bySeq.get(seq)).addReport(found);
                }
            }
        }
        return 0;
    }

    List<EndedRun> readById(String[] ids) throws SQLException {
        List<EndedRunRow> runs = new ArrayList<>();
        try (var statement = reader.connection.prepareStatement(SQL.get("by_id"))) {
            statement.setInt(1, org);
            statement.setArray(2, reader.connection.createArrayOf("text", ids));
            readRuns(statement, runs);
        }
        for (EndedRunRow run : runs) {
            readReports(run);
        }
        return runs.stream().map(EndedRunRow::toEndedRun).toList();
    }

    private void readReports(EndedRunRow run) throws SQLException {
        try (var statement = reader.connection.prepareStatement(SQL.get("reports"))) {
            statement.setFetchSize(FETCH_ROWS);
            statement.setInt(1, org);
            statement.setLong(2, run.number);
            statement.setLong(3, run.times.acceptedAt);
            statement.setLong(4, run.times.endedAt);
            try (var found = statement.executeQuery()) {
                while (found.next()) {
                    run.addReport(found);
                }
            }
        }
    }

    private void readRuns(PreparedStatement statement, List<EndedRunRow> into) throws SQLException {
        try (var found = statement.executeQuery()) {
            while (found.next()) {
                var times = new RunTimes(
                        found.getLong("accepted_at"), found.getLong("ended_at"), found.getLong("ended_seq"));
                newestEnd = Math.max(newestEnd, times.endedAt);
                into.add(new EndedRunRow(
                        found.getLong("number"),
                        found.getString("id"),
                        StateCodes.run(found.getString("state")),
                        found.getInt("request_hash"),
                        reader.plan(org, found.getString("workflow"), found.getInt("version")),
                        times,
                        new HashMap<>()));
            }
        }
    }
}
