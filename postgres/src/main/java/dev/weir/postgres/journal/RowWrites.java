package dev.weir.postgres.journal;

import dev.weir.core.state.RunRow;
import dev.weir.core.state.UnitId;
import dev.weir.postgres.json.StoredJson;
import dev.weir.postgres.sql.PipelinedTransaction;
import dev.weir.postgres.sql.SqlStatements;
import dev.weir.postgres.sql.StatementRows;
import dev.weir.postgres.sql.UnnestRows;
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

/** The rows that one transaction writes, grouped by statement. */
final class RowWrites {
    private static final SqlStatements SQL = SqlStatements.of(RowWrites.class);
    private static final String RUN_IDS = "insert_run_ids";

    /** The order of the statements. Deletes come before inserts, so that a row can be replaced. */
    private static final List<String> ORDER = List.of(
            "move_claims_out_of_runs",
            "move_claims_out_of_pages",
            "delete_claim_pages",
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
            "update_run_holds",
            "update_endings",
            "update_overrides",
            "update_ticks",
            "insert_steps",
            "update_steps",
            "update_step_details",
            "insert_claim_pages",
            "replace_claims",
            "insert_claims",
            "update_claims",
            "insert_step_history",
            "insert_run_history",
            "insert_signals",
            "delete_signals",
            "delete_rate_starts",
            "insert_rate_starts",
            "delete_pins",
            "upsert_pins",
            "upsert_rate_limit_configs",
            "delete_pauses",
            "upsert_pauses",
            "upsert_retry_after_holds",
            "insert_events",
            "update_events",
            "insert_event_outcomes",
            "upsert_debounce_windows",
            "close_debounce_windows",
            "delete_schedules",
            "upsert_schedules",
            "insert_workflows",
            "upsert_module_defaults",
            "update_organisations",
            "update_highest_fences",
            "update_listening_spans",
            "retire_tokens",
            "insert_tokens",
            "insert_audit_entries",
            "insert_dead_letters",
            "trim_refused_starts",
            "close_dead_letters",
            "update_last_dead_letters",
            "close_notices",
            "insert_notices",
            "trim_notices",
            "update_last_notices",
            "update_suspensions",
            "delete_workflow_availability",
            "upsert_workflow_availability",
            "delete_secrets",
            "upsert_secrets",
            "insert_deletions",
            "insert_claim_log",
            "append_to_administration");

    private static final Set<String> ORDERED = Set.copyOf(ORDER);

    /** The id of a run within its organisation. */
    record RunId(int org, String id) {}

    /** Statements that only insert new rows and read nothing, so that COPY can replace them. */
    private static final Set<String> COPYABLE = Set.of(
            RUN_IDS,
            "insert_runs",
            "insert_steps",
            "insert_claims",
            "insert_step_history",
            "insert_run_history",
            "insert_rate_starts",
            "insert_claim_log");

    /** Statements that occur in most transactions. */
    private static final Set<String> COMMON = Set.of(
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
            "insert_claim_pages",
            "delete_claim_pages",
            "insert_claims",
            "update_claims",
            "insert_step_history",
            "insert_run_history",
            "insert_rate_starts",
            "update_organisations",
            "insert_claim_log");

    /** The most organisations whose deletes get one statement each, which is faster for many rows. */
    private static final int PER_ORGANISATION_DELETES_MAX = 4;

    /** Stands for all organisations. */
    private static final int ALL_ORGANISATIONS = 0;

    /** A claim of a step, by unit and fence. */
    private record ClaimKey(UnitKey unit, long fence) {}

    private final boolean canCopy;
    private final IntFunction<ClaimPages> pagesOf;
    private final Map<Integer, ClaimPageRows> pageRows = new LinkedHashMap<>();
    private final Map<Integer, List<Long>> deletedRuns = new LinkedHashMap<>();
    private final Map<Integer, List<ClaimKey>> deletedClaims = new LinkedHashMap<>();
    /** Rows by statement, then by organisation for the statements that serve a single organisation. */
    private final Map<String, Map<Integer, StatementRows>> rows = new HashMap<>();

    private final Set<RunId> newIds = new HashSet<>();

    /**
     * Creates an empty set of rows.
     *
     * @param canCopy true if the session may use COPY
     * @param pagesOf the claim pages of an organisation by its number
     */
    RowWrites(boolean canCopy, IntFunction<ClaimPages> pagesOf) {
        this.canCopy = canCopy;
        this.pagesOf = pagesOf;
    }

    /** Returns the changes of the claim pages of an organisation. */
    ClaimPageRows pages(int org) {
        return pageRows.computeIfAbsent(org, ignored -> new ClaimPageRows(pagesOf.apply(org)));
    }

    /** Records that all of the rows are committed. */
    void markCommitted() {
        pageRows.values().forEach(ClaimPageRows::markCommitted);
    }

    void add(String statement, @Nullable Object... row) {
        add(statement, ALL_ORGANISATIONS, row);
    }

    /** Deletes the row of a run that has ended. */
    void deleteRun(int org, long number) {
        deletedRuns.computeIfAbsent(org, ignored -> new ArrayList<>()).add(number);
    }

    /** Deletes the row of a released claim. */
    void deleteClaim(int org, UnitKey unit, long fence) {
        if (unit.item() == UnitId.NO_ITEM) {
            deletedClaims.computeIfAbsent(org, ignored -> new ArrayList<>()).add(new ClaimKey(unit, fence));
        } else {
            add("delete_claims", org, unit.run(), unit.step(), unit.item(), fence);
        }
    }

    private void addDeletes(boolean canDeleteByList) {
        deletedRuns.forEach((org, runs) -> {
            boolean byList = canDeleteByList && deletedRuns.size() <= PER_ORGANISATION_DELETES_MAX;
            for (Long run : runs) {
                add(byList ? "delete_runs_of" : "delete_runs", byList ? org : ALL_ORGANISATIONS, new Object[] {org, run
                });
            }
        });
        deletedClaims.forEach((org, claims) -> {
            boolean byList = canDeleteByList && deletedClaims.size() <= PER_ORGANISATION_DELETES_MAX;
            for (ClaimKey claim : claims) {
                UnitKey unit = claim.unit;
                if (byList) {
                    add("delete_claims_of", org, new Object[] {org, unit.run(), unit.run(), unit.step(), claim.fence});
                } else {
                    add("delete_claims", org, unit.run(), unit.step(), unit.item(), claim.fence);
                }
            }
        });
    }

    private void add(String statement, int org, @Nullable Object[] row) {
        rows.computeIfAbsent(statement, ignored -> new LinkedHashMap<>())
                .computeIfAbsent(org, ignored -> newRows(statement))
                .add(row);
    }

    private StatementRows newRows(String statement) {
        return COPYABLE.contains(statement)
                ? StatementRows.forInsert(SQL.get(statement), canCopy)
                : StatementRows.of(SQL.get(statement));
    }

    void addRunId(int org, RunRow run) {
        newIds.add(new RunId(org, run.id()));
        add(
                RUN_IDS,
                org,
                run.id(),
                run.number(),
                StoredJson.text(run.request().input()),
                run.request().lineage().startedBy());
    }

    /** Returns those ids of new runs that are already taken. Called only after a unique violation. */
    Set<RunId> takenIds(Connection connection) throws SQLException {
        var ids = new UnnestRows(SQL.get("taken_ids"));
        newIds.forEach(run -> ids.add(run.org, run.id));
        Set<RunId> taken = new HashSet<>();
        try (var statement = ids.prepare(connection);
                ResultSet found = statement.executeQuery()) {
            while (found.next()) {
                taken.add(new RunId(found.getInt(1), found.getString(2)));
            }
        }
        return taken;
    }

    /**
     * Writes all rows and commits them.
     *
     * @param canDeleteByList true if the server is certain to look up each value of a list in the index
     */
    void commit(PipelinedTransaction transaction, boolean canDeleteByList) throws SQLException {
        addDeletes(canDeleteByList);
        checkOrder();
        for (String name : ORDER) {
            for (StatementRows each : rows.getOrDefault(name, Map.of()).values()) {
                if (COMMON.contains(name)) {
                    each.addTo(transaction);
                } else {
                    transaction.executeAlone(each);
                }
            }
        }
        transaction.commit();
    }

    /** Throws if a statement has no place in the order. Otherwise its rows would silently not be written. */
    private void checkOrder() {
        for (String name : rows.keySet()) {
            if (!ORDERED.contains(name)) {
                throw new IllegalStateException(
                        "expected a place in the order of writes for " + name + ", found none; nothing is written");
            }
        }
    }
}
