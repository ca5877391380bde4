package dev.weir.postgres.journal;

import dev.weir.core.life.RunRow;
import dev.weir.core.life.UnitId;
import dev.weir.postgres.json.Json;
import dev.weir.postgres.sql.Grid;
import dev.weir.postgres.sql.Rows;
import dev.weir.postgres.sql.Sql;
import dev.weir.postgres.sql.Trips;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** The rows that one transaction writes, by statement. */
final class Writes {
    private static final Sql SQL = Sql.of(Writes.class);
    private static final String RUN_IDS = "insert_run_ids";

    /** What goes has gone before what comes, so that a row can be replaced. */
    private static final List<String> ORDER = List.of(
            "part_claims",
            "part_sheets",
            "delete_sheets",
            "delete_claims_of",
            "delete_claims",
            "delete_steps",
            "delete_runs_of",
            "delete_runs",
            "delete_step_history",
            RUN_IDS,
            "insert_runs",
            "update_runs",
            "update_run_details",
            "update_endings",
            "update_overrides",
            "update_ticks",
            "insert_steps",
            "update_steps",
            "update_step_details",
            "insert_sheets",
            "replace_claims",
            "insert_claims",
            "update_claims",
            "insert_step_history",
            "insert_run_history",
            "insert_signals",
            "delete_signals",
            "delete_starts",
            "insert_starts",
            "delete_pins",
            "upsert_pins",
            "delete_pauses",
            "upsert_pauses",
            "upsert_holds",
            "insert_emitted",
            "insert_refused_starts",
            "trim_refused_starts",
            "insert_workflows",
            "upsert_modules",
            "update_organisations",
            "insert_claim_log");

    private static final Set<String> PLACED = Set.copyOf(ORDER);

    /** The id of a run within its organisation. */
    record RunId(int org, String id) {}

    /** Statements that insert new rows, and have nothing to look at meanwhile. */
    private static final Set<String> COPIED = Set.of(
            RUN_IDS,
            "insert_runs",
            "insert_steps",
            "insert_claims",
            "insert_step_history",
            "insert_run_history",
            "insert_starts",
            "insert_claim_log");

    /** Statements that most transactions are made of. */
    private static final Set<String> USUAL = Set.of(
            RUN_IDS,
            "delete_claims_of",
            "delete_claims",
            "delete_steps",
            "delete_runs_of",
            "delete_runs",
            "insert_runs",
            "update_runs",
            "insert_steps",
            "update_steps",
            "insert_sheets",
            "delete_sheets",
            "insert_claims",
            "update_claims",
            "insert_step_history",
            "insert_run_history",
            "insert_starts",
            "update_organisations",
            "insert_claim_log");

    /** Up to so many organisations the rows of each are deleted by a statement of its own, which is faster for many rows. */
    private static final int OWN_STATEMENTS_MAX = 4;

    /** Stands for all organisations. */
    private static final int ALL = 0;

    /** A claim of a step. */
    private record ClaimKey(UnitKey unit, long fence) {}

    private final boolean mayCopy;
    private final IntFunction<Sheets> sheetsOf;
    private final Map<Integer, SheetRows> sheets = new LinkedHashMap<>();
    private final Map<Integer, List<Long>> runsGone = new LinkedHashMap<>();
    private final Map<Integer, List<ClaimKey>> claimsGone = new LinkedHashMap<>();
    /** By statement, and those of one organisation by that. */
    private final Map<String, Map<Integer, Rows>> rows = new HashMap<>();

    private final Set<RunId> newIds = new HashSet<>();

    /** Rows that are written by a session which may copy, or not, beside these sheets. */
    Writes(boolean mayCopy, IntFunction<Sheets> sheetsOf) {
        this.mayCopy = mayCopy;
        this.sheetsOf = sheetsOf;
    }

    /** What is done to the sheets of an organisation. */
    SheetRows sheets(int org) {
        return sheets.computeIfAbsent(org, ignored -> new SheetRows(sheetsOf.apply(org)));
    }

    /** All of it has been committed. */
    void committed() {
        sheets.values().forEach(SheetRows::committed);
    }

    void add(String statement, @Nullable Object... row) {
        add(statement, ALL, row);
    }

    /** A run that lives no more. */
    void deleteRun(int org, long number) {
        runsGone.computeIfAbsent(org, ignored -> new ArrayList<>()).add(number);
    }

    /** A claim that is given back. */
    void deleteClaim(int org, UnitKey unit, long fence) {
        if (unit.item() == UnitId.NO_ITEM) {
            claimsGone.computeIfAbsent(org, ignored -> new ArrayList<>()).add(new ClaimKey(unit, fence));
        } else {
            add("delete_claims", org, unit.run(), unit.step(), unit.item(), fence);
        }
    }

    private void addDeletes(boolean mayList) {
        runsGone.forEach((org, runs) -> {
            boolean list = mayList && runsGone.size() <= OWN_STATEMENTS_MAX;
            for (Long run : runs) {
                add(list ? "delete_runs_of" : "delete_runs", list ? org : ALL, new Object[] {org, run});
            }
        });
        claimsGone.forEach((org, claims) -> {
            boolean list = mayList && claimsGone.size() <= OWN_STATEMENTS_MAX;
            for (ClaimKey claim : claims) {
                UnitKey unit = claim.unit;
                if (list) {
                    add("delete_claims_of", org, new Object[] {org, unit.run(), unit.run(), unit.step(), claim.fence});
                } else {
                    add("delete_claims", org, unit.run(), unit.step(), unit.item(), claim.fence);
                }
            }
        });
    }

    private void add(String statement, int org, @Nullable Object[] row) {
        rows.computeIfAbsent(statement, ignored -> new LinkedHashMap<>())
                .computeIfAbsent(org, ignored -> rows(statement))
                .add(row);
    }

    private Rows rows(String statement) {
        return COPIED.contains(statement) ? Rows.inserting(SQL.get(statement), mayCopy) : Rows.of(SQL.get(statement));
    }

    void newId(int org, RunRow run) {
        newIds.add(new RunId(org, run.id()));
        add(RUN_IDS, org, run.id(), run.number(), Json.text(run.request().input()));
    }

    /** Those of the ids of new runs that are taken; asked once it is known that some are. */
    Set<RunId> takenIds(Connection connection) throws SQLException {
        var wanted = new Grid(SQL.get("taken_ids"));
        newIds.forEach(run -> wanted.add(run.org, run.id));
        Set<RunId> taken = new HashSet<>();
        try (var statement = wanted.prepare(connection);
                ResultSet found = statement.executeQuery()) {
            while (found.next()) {
                taken.add(new RunId(found.getInt(1), found.getString(2)));
            }
        }
        return taken;
    }

    /**
     * Writes everything, and commits it.
     *
     * @param mayList whether the server is sure to look for each of a list in the index
     */
    void commit(Trips trips, boolean mayList) throws SQLException {
        addDeletes(mayList);
        checkPlaces();
        for (String name : ORDER) {
            for (Rows each : rows.getOrDefault(name, Map.of()).values()) {
                if (USUAL.contains(name)) {
                    each.addTo(trips);
                } else {
                    trips.alone(each);
                }
            }
        }
        trips.commit();
    }

    /** A statement without a place would not be written, and nobody would know. */
    private void checkPlaces() {
        for (String name : rows.keySet()) {
            if (!PLACED.contains(name)) {
                throw new IllegalStateException(
                        "expected a place in the order of writes for " + name + ", found none; nothing is written");
            }
        }
    }
}
