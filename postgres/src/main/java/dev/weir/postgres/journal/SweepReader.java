package dev.weir.postgres.journal;

import dev.weir.core.plan.Plan;
import dev.weir.core.state.ClaimedUnit;
import dev.weir.core.state.StepState;
import dev.weir.core.state.UnitId;
import dev.weir.engine.journal.ClaimSummary;
import dev.weir.engine.journal.SweepSlice;
import dev.weir.postgres.json.StateCodes;
import dev.weir.postgres.sql.SqlStatements;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads the rows that a sweep compares with memory. */
final class SweepReader {
    private static final SqlStatements SQL = SqlStatements.of(SweepReader.class);

    private final PostgresShardOwnership ownership;
    private final int org;

    SweepReader(PostgresShardOwnership ownership, int org) {
        this.ownership = ownership;
        this.org = org;
    }

    List<ClaimSummary> claims(long firstRun, List<ClaimedUnit> claimed) throws SQLException {
        List<ClaimSummary> results = new ArrayList<>();
        try (var statement = ownership.connection.prepareStatement(SQL.get("claims"))) {
            statement.setInt(1, org);
            statement.setLong(2, firstRun);
            setClaimedParameters(statement, claimed);
            for (int parameter : new int[] {5, 6, 7}) {
                statement.setInt(parameter, org);
            }
            try (var found = statement.executeQuery()) {
                while (found.next()) {
                    Plan plan = ownership.plan(org, found.getString("workflow"), found.getInt("version"));
                    var unit = new UnitId(
                            found.getString("id"), plan.stepIdAt(found.getInt("step")), found.getInt("item"));
                    results.add(new ClaimSummary(unit, found.getLong("fence"), found.getLong("lease_until")));
                }
            }
        }
        if (!claimed.isEmpty()) {
            addPaged(claimed, results);
        }
        return results;
    }

    /** Adds the claims that are in pages, unless newer rows replace them. */
    private void addPaged(List<ClaimedUnit> claimed, List<ClaimSummary> results) throws SQLException {
        PagedClaims pagedClaims = PagedClaims.read(ownership.connection, org);
        pagedClaims.removeEnded(
                ownership.connection,
                org,
                claimed.stream().map(SweepReader::key).toList());
        Set<UnitId> alreadyRead = new HashSet<>();
        results.forEach(result -> alreadyRead.add(result.unit()));
        for (ClaimedUnit each : claimed) {
            PagedClaims.PagedClaim paged = pagedClaims.find(key(each));
            if (paged != null && !alreadyRead.contains(each.unit())) {
                results.add(new ClaimSummary(each.unit(), paged.fence(), paged.until()));
            }
        }
    }

    private static UnitKey key(ClaimedUnit claimed) {
        short step = (short) claimed.run().plan().indexOf(claimed.unit().step());
        return new UnitKey(claimed.run().number(), step, claimed.unit().item());
    }

    /** Sets the runs and steps whose claims may be inside their runs' rows. */
    private void setClaimedParameters(PreparedStatement statement, List<ClaimedUnit> claimed) throws SQLException {
        List<Long> runs = new ArrayList<>();
        List<Short> steps = new ArrayList<>();
        for (ClaimedUnit each : claimed) {
            if (each.run().mayHaveEmbeddedClaims() && each.unit().item() == UnitId.NO_ITEM) {
                UnitKey unit = key(each);
                runs.add(unit.run());
                steps.add(unit.step());
            }
        }
        statement.setArray(3, ownership.connection.createArrayOf("bigint", runs.toArray()));
        statement.setArray(4, ownership.connection.createArrayOf("smallint", steps.toArray()));
    }

    SweepSlice slice(long afterRun, int runs, int units) throws SQLException {
        List<SweepSlice.RunSummary> results = new ArrayList<>();
        Map<Long, Plan> plansByRun = new HashMap<>();
        Map<Long, String> idsByRun = new HashMap<>();
        long last = afterRun;
        boolean more = false;
        try (var statement = ownership.connection.prepareStatement(SQL.get("slice_runs"))) {
            statement.setInt(1, org);
            statement.setLong(2, afterRun);
            statement.setInt(3, runs + 1);
            try (var found = statement.executeQuery()) {
                while (found.next()) {
                    if (results.size() == runs) {
                        more = true;
                        break;
                    }
                    last = found.getLong("number");
                    plansByRun.put(last, ownership.plan(org, found.getString("workflow"), found.getInt("version")));
                    idsByRun.put(last, found.getString("id"));
                    results.add(new SweepSlice.RunSummary(
                            found.getString("id"), last, StateCodes.run(found.getString("state"))));
                }
            }
        }
        List<SweepSlice.StepSummary> steps = steps(new RunRange(afterRun + 1, last, units + 1), plansByRun, idsByRun);
        return SweepSlice.bounded(results, steps, more, units);
    }

    /** A range of run numbers, and the most units to read from it. */
    private record RunRange(long from, long to, int limit) {}

    private List<SweepSlice.StepSummary> steps(RunRange range, Map<Long, Plan> plansByRun, Map<Long, String> idsByRun)
            throws SQLException {
        List<SweepSlice.StepSummary> results = new ArrayList<>();
        PagedClaims pagedClaims = PagedClaims.read(ownership.connection, org);
        try (var statement = ownership.connection.prepareStatement(SQL.get("slice_steps"))) {
            for (int offset : new int[] {0, 4}) {
                statement.setInt(offset + 1, org);
                statement.setLong(offset + 2, range.from);
                statement.setLong(offset + 3, range.to);
                statement.setInt(offset + 4, range.limit);
            }
            statement.setInt(9, range.limit);
            try (var found = statement.executeQuery()) {
                while (found.next()) {
                    long run = found.getLong("run");
                    Plan plan = plansByRun.get(run);
                    if (plan != null) {
                        var key = new UnitKey(run, found.getShort("step"), found.getInt("item"));
                        var unit = new UnitId(String.valueOf(idsByRun.get(run)), plan.stepIdAt(key.step()), key.item());
                        PagedClaims.PagedClaim paged = pagedClaims.find(key);
                        long fence = found.getLong("fence");
                        results.add(
                                paged != null && paged.fence() > fence
                                        ? new SweepSlice.StepSummary(unit, StepState.RUNNING, paged.fence())
                                        : new SweepSlice.StepSummary(
                                                unit, StateCodes.step(found.getString("state")), fence));
                    }
                }
            }
        }
        return results;
    }
}
