package dev.weir.postgres.records;

import dev.weir.core.definition.Step;
import dev.weir.core.expression.RenderedTemplate;
import dev.weir.core.limit.Moment;
import dev.weir.core.plan.Plan;
import dev.weir.core.state.StepRow;
import dev.weir.core.state.StepState;
import dev.weir.core.state.UnitId;
import dev.weir.engine.records.RunRecord;
import dev.weir.engine.records.StepRecord;
import dev.weir.postgres.journal.StepRows;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads the steps and items of one run. */
final class StepRecordRows {
    private final Connection connection;
    private final int org;
    private final RunRecord run;
    private final JsonNode firstInput;
    private final Plan plan;

    StepRecordRows(Connection connection, int org, RunRecordRows.FoundRun found, Plan plan) {
        this.connection = connection;
        this.org = org;
        this.run = found.run();
        this.firstInput = found.firstInput();
        this.plan = plan;
    }

    /** The steps and items to read, from the first to the last of each. */
    private record Range(int firstStep, int lastStep, int firstItem, int lastItem, int limit) {}

    /** The number of items of a step, by state. */
    private record Counts(int made, int running, int ended, int failed) {
        static final Counts NONE = new Counts(0, 0, 0, 0);
    }

    List<StepRecord> all() throws SQLException {
        Map<String, StepRecord> found = new HashMap<>();
        int last = Short.MAX_VALUE;
        for (StepRecord step : read(new Range(0, last, UnitId.NO_ITEM, UnitId.NO_ITEM, Integer.MAX_VALUE), counts())) {
            found.put(step.unit().step(), step);
        }
        List<StepRecord> all = new ArrayList<>();
        for (Step step : plan.workflow().steps()) {
            all.add(found.getOrDefault(step.id(), withoutRow(step.id())));
        }
        return all;
    }

    Optional<StepRecord> find(UnitId unit) throws SQLException {
        if (!has(unit.step())) {
            return Optional.empty();
        }
        int step = plan.indexOf(unit.step());
        Map<Integer, Counts> counts = unit.item() == UnitId.NO_ITEM ? counts() : Map.of();
        List<StepRecord> found = read(new Range(step, step, unit.item(), unit.item(), 1), counts);
        if (!found.isEmpty()) {
            return Optional.of(found.getFirst());
        }
        return unit.item() == UnitId.NO_ITEM ? Optional.of(withoutRow(unit.step())) : Optional.empty();
    }

    List<StepRecord> items(String step, int from, int limit) throws SQLException {
        if (!has(step)) {
            return List.of();
        }
        int index = plan.indexOf(step);
        return read(new Range(index, index, from, Integer.MAX_VALUE, limit), Map.of());
    }

    /** Returns the item of a step that ended last. */
    Optional<StepRecord> lastEnded(String step) throws SQLException {
        if (!has(step)) {
            return Optional.empty();
        }
        try (var statement = connection.prepareStatement(PostgresRecords.SQL.get("last_item"))) {
            statement.setInt(1, org);
            statement.setLong(2, run.number());
            statement.setInt(3, plan.indexOf(step));
            try (var found = statement.executeQuery()) {
                return found.next() ? Optional.of(readRecord(found, Map.of())) : Optional.empty();
            }
        }
    }

    Optional<PostgresLogStore.Position> position(UnitId unit) {
        return has(unit.step())
                ? Optional.of(new PostgresLogStore.Position(org, run.number(), plan.indexOf(unit.step()), unit.item()))
                : Optional.empty();
    }

    private boolean has(String step) {
        return plan.hasStep(step);
    }

    /** Returns a step that has no row: it is blocked, or was blocked when its run ended. */
    private StepRecord withoutRow(String step) {
        UnitId unit = UnitId.of(run.run(), step);
        var times = new StepRecord.Times(null, null, null, null);
        StepState state = run.state().ended() ? StepState.CANCELLED : StepState.BLOCKED;
        return new StepRecord(unit, state, 0, 0, null, null, null, times, null, List.of(), null, null, null, null);
    }

    private List<StepRecord> read(Range range, Map<Integer, Counts> counts) throws SQLException {
        List<StepRecord> records = new ArrayList<>();
        try (var statement = connection.prepareStatement(PostgresRecords.SQL.get("steps"))) {
            int index = 1;
            for (int half = 0; half < 2; half++) {
                statement.setInt(index++, org);
                statement.setLong(index++, run.number());
                statement.setInt(index++, range.firstStep);
                statement.setInt(index++, range.lastStep);
                statement.setInt(index++, range.firstItem);
                statement.setInt(index++, range.lastItem);
            }
            statement.setInt(index, range.limit);
            try (var found = statement.executeQuery()) {
                while (found.next()) {
                    records.add(readRecord(found, counts));
                }
            }
        }
        return records;
    }

    private StepRecord readRecord(ResultSet found, Map<Integer, Counts> counts) throws SQLException {
        int step = found.getInt("step");
        StepRow row = StepRows.read(
                found,
                new UnitId(run.run(), plan.stepIdAt(step), found.getInt("item")),
                new StepRows.RunData(plan, firstInput));
        Counts count = counts.getOrDefault(step, Counts.NONE);
        StepRecord.Items items = row.items() == StepRow.NOT_FANNED_OUT
                ? null
                : new StepRecord.Items(row.items(), count.made, count.running, count.ended, count.failed);
        var times = new StepRecord.Times(
                row.since() == 0 ? null : Moment.toInstant(row.since()),
                RunRecordRows.instant(found, "granted_at"),
                row.due() == Moment.NEVER ? null : Moment.toInstant(row.due()),
                RunRecordRows.instant(found, "ended_at"));
        return new StepRecord(
                row.id(),
                row.state(),
                row.fence(),
                row.attempts(),
                input(row.input()),
                row.lastOutcome(),
                items,
                times,
                row.detail().child(),
                row.detail().waited(),
                row.detail().approval(),
                row.detail().provided(),
                row.detail().signal(),
                row.detail().reporter());
    }

    /** Returns the input with the names of secrets in place of their values. */
    private static @Nullable JsonNode input(@Nullable RenderedTemplate input) {
        return input == null ? null : input.insertSecrets(name -> "${{ secrets." + name + " }}");
    }

    private Map<Integer, Counts> counts() throws SQLException {
        Map<Integer, Counts> counts = new HashMap<>();
        try (var statement = connection.prepareStatement(PostgresRecords.SQL.get("item_counts"))) {
            for (int part = 0; part < 3; part++) {
                statement.setInt(2 * part + 1, org);
                statement.setLong(2 * part + 2, run.number());
            }
            try (var found = statement.executeQuery()) {
                while (found.next()) {
                    counts.put(
                            found.getInt("step"),
                            new Counts(
                                    found.getInt("made"),
                                    found.getInt("running"),
                                    found.getInt("ended"),
                                    found.getInt("failed")));
                }
            }
        }
        return counts;
    }
}
