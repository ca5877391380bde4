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

    private final PostgresShardOwnership tenure;
    private final int org;

    SweepReader(PostgresShardOwnership tenure, int org) {
        this.tenure = tenure;
        this.org = org;
    }

    List<ClaimSummary> claims(long firstRun, List<ClaimedUnit> claimed) throws SQLException {
        List<ClaimSummary> marks = new ArrayList<>();
        try (var statement = tenure.connection.prepareStatement(SQL.get("claims"))) {
            statement.setInt(1, org);
            statement.setLong(2, firstRun);
            nameClaimed(statement, claimed);
            for (int place : new int[] {5, 6, 7}) {
                statement.setInt(place, org);
            }
            try (var found = statement.executeQuery()) {
                while (found.next()) {
                    Plan plan = tenure.plan(org, found.getString("workflow"), found.getInt("version"));
                    var unit =
                            new UnitId(found.getString("id"), plan.stepAt(found.getInt("step")), found.getInt("item"));
                    marks.add(new ClaimSummary(unit, found.getLong("fence"), found.getLong("lease_until")));
                }
            }
        }
        if (!claimed.isEmpty()) {
            addListed(claimed, marks);
        }
        return marks;
    }

    /** Adds the claims that are in pages, unless newer rows replace them. */
    private void addListed(List<ClaimedUnit> claimed, List<ClaimSummary> marks) throws SQLException {
        PagedClaims inPages = PagedClaims.read(tenure.connection, org);
        inPages.dropOver(
                tenure.connection, org, claimed.stream().map(SweepReader::key).toList());
        Set<UnitId> elsewhere = new HashSet<>();
        marks.forEach(mark -> elsewhere.add(mark.unit()));
        for (ClaimedUnit each : claimed) {
            PagedClaims.Listed listed = inPages.find(key(each));
            if (listed != null && !elsewhere.contains(each.unit())) {
                marks.add(new ClaimSummary(each.unit(), listed.fence(), listed.until()));
            }
        }
    }

    private static UnitKey key(ClaimedUnit claimed) {
        short step = (short) claimed.run().plan().indexOf(claimed.unit().step());
        return new UnitKey(claimed.run().number(), step, claimed.unit().item());
    }

    /** Sets the runs and steps whose claims may be inside their runs' rows. */
    private void nameClaimed(PreparedStatement statement, List<ClaimedUnit> claimed) throws SQLException {
        List<Long> runs = new ArrayList<>();
        List<Short> steps = new ArrayList<>();
        for (ClaimedUnit each : claimed) {
            if (each.run().mayHaveClaimsWithin() && each.unit().item() == UnitId.NO_ITEM) {
                UnitKey unit = key(each);
                runs.add(unit.run());
                steps.add(unit.step());
            }
        }
        statement.setArray(3, tenure.connection.createArrayOf("bigint", runs.toArray()));
        statement.setArray(4, tenure.connection.createArrayOf("smallint", steps.toArray()));
    }

    SweepSlice slice(long afterRun, int runs, int units) throws SQLException {
        List<SweepSlice.RunMark> marks = new ArrayList<>();
        Map<Long, Plan> plansOf = new HashMap<>();
        Map<Long, String> ids = new HashMap<>();
        long last = afterRun;
        boolean more = false;
        try (var statement = tenure.connection.prepareStatement(SQL.get("slice_runs"))) {
            statement.setInt(1, org);
            statement.setLong(2, afterRun);
            statement.setInt(3, runs + 1);
            try (var found = statement.executeQuery()) {
                while (found.next()) {
                    if (marks.size() == runs) {
                        more = true;
                        break;
                    }
                    last = found.getLong("number");
                    plansOf.put(last, tenure.plan(org, found.getString("workflow"), found.getInt("version")));
                    ids.put(last, found.getString("id"));
                    marks.add(new SweepSlice.RunMark(
                            found.getString("id"), last, StateCodes.run(found.getString("state"))));
                }
            }
        }
        List<SweepSlice.StepMark> steps = steps(new Span(afterRun + 1, last, units + 1), plansOf, ids);
        return SweepSlice.bounded(marks, steps, more, units);
    }

    /** A range of run numbers, and the most units to read from it. */
    private record Span(long from, long to, int most) {}

    private List<SweepSlice.StepMark> steps(Span span, Map<Long, Plan> plansOf, Map<Long, String> ids)
            throws SQLException {
        List<SweepSlice.StepMark> marks = new ArrayList<>();
        PagedClaims inPages = PagedClaims.read(tenure.connection, org);
        try (var statement = tenure.connection.prepareStatement(SQL.get("slice_steps"))) {
            for (int half : new int[] {0, 4}) {
                statement.setInt(half + 1, org);
                statement.setLong(half + 2, span.from);
                statement.setLong(half + 3, span.to);
                statement.setInt(half + 4, span.most);
            }
            statement.setInt(9, span.most);
            try (var found = statement.executeQuery()) {
                while (found.next()) {
                    long run = found.getLong("run");
                    Plan of = plansOf.get(run);
                    if (of != null) {
                        var key = new UnitKey(run, found.getShort("step"), found.getInt("item"));
                        var unit = new UnitId(String.valueOf(ids.get(run)), of.stepAt(key.step()), key.item());
                        PagedClaims.Listed listed = inPages.find(key);
                        long fence = found.getLong("fence");
                        marks.add(
                                listed != null && listed.fence() > fence
                                        ? new SweepSlice.StepMark(unit, StepState.RUNNING, listed.fence())
                                        : new SweepSlice.StepMark(
                                                unit, StateCodes.step(found.getString("state")), fence));
                    }
                }
            }
        }
        return marks;
    }
}
