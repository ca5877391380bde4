package dev.weir.postgres.journal;

import dev.weir.core.plan.Plan;
import dev.weir.core.state.RunRequest;
import dev.weir.core.state.RunRow;
import dev.weir.postgres.json.RunJson;
import dev.weir.postgres.json.SettingJson;
import dev.weir.postgres.json.StartJson;
import dev.weir.postgres.json.StateCodes;
import dev.weir.postgres.json.StoredJson;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Converts runs to rows and back. */
final class RunRows {
    private RunRows() {}

    /**
     * Returns the columns of a new row.
     *
     * @param initialSteps the steps inside the row
     * @param initialClaims the claims of these steps
     */
    static @Nullable Object[] insertColumns(
            int org, RunRow row, @Nullable String initialSteps, @Nullable String initialClaims) {
        @Nullable Object[] columns = sharedColumns(org, row, 3);
        columns[columns.length - 3] = initialSteps;
        columns[columns.length - 2] = initialClaims;
        columns[columns.length - 1] = nullIfNotStarted(row.detail().holdUntil());
        return columns;
    }

    /**
     * Returns the columns of a history row.
     *
     * @param steps the steps inside the row
     */
    static @Nullable Object[] historyColumns(int org, RunRow row, long endedAt, @Nullable String steps) {
        @Nullable Object[] columns = sharedColumns(org, row, 3);
        columns[columns.length - 3] = endedAt;
        columns[columns.length - 2] = row.request().fingerprint();
        columns[columns.length - 1] = steps;
        return columns;
    }

    /** Returns the columns that runs and ended runs share, in an array with room for more. */
    private static @Nullable Object[] sharedColumns(int org, RunRow row, int extra) {
        RunRequest request = row.request();
        Plan plan = request.plan();
        @Nullable
        Object[] columns = {
            org,
            row.number(),
            row.id(),
            plan.workflow().name(),
            plan.version(),
            (short) request.priority(),
            StateCodes.letter(row.state()),
            row.acceptedAt(),
            nullIfNotStarted(row.startedAt()),
            nullIfNotStarted(row.lastGrantAt()),
            row.startsInTick() == 0 ? null : row.startsInTick(),
            RunJson.labels(request.labels()),
            StartJson.start(request),
            RunJson.needs(row),
            RunJson.ending(row.ending()),
            SettingJson.overrides(row.overrides()),
            RunJson.detail(row.detail())
        };
        return Arrays.copyOf(columns, columns.length + extra);
    }

    /**
     * Returns the columns of an update.
     *
     * @param initialSteps the steps inside the row; null if the stored ones stay
     * @param initialClaims the claims of these steps; null if the stored ones stay
     */
    static @Nullable Object[] updateColumns(
            int org, RunRow row, @Nullable String initialSteps, @Nullable String initialClaims) {
        return new @Nullable Object[] {
            org,
            row.number(),
            StateCodes.letter(row.state()),
            nullIfNotStarted(row.startedAt()),
            nullIfNotStarted(row.lastGrantAt()),
            row.startsInTick() == 0 ? null : row.startsInTick(),
            RunJson.needs(row),
            RunJson.ending(row.ending()),
            SettingJson.overrides(row.overrides()),
            RunJson.detail(row.detail()),
            initialSteps,
            initialClaims
        };
    }

    private static @Nullable Long nullIfNotStarted(long time) {
        return time == RunRow.NOT_STARTED ? null : time;
    }

    private static long notStartedIf(long time, boolean none) {
        return none ? RunRow.NOT_STARTED : time;
    }

    /** Reads a live run from a row of the table runs. */
    static RunRow read(ResultSet found, Plan plan) throws SQLException {
        int priority = found.getInt("priority");
        StartJson.Start start = StartJson.readStart(found.getString("start_options"));
        var request = new RunRequest(
                found.getString("id"),
                plan,
                StoredJson.read(found.getString("input")),
                priority,
                start.flowControl(),
                RunJson.readLabels(found.getString("labels")),
                start.options(),
                start.origin().withStartedBy(found.getString("started_by")));
        long startedAt = found.getLong("started_at");
        boolean notStarted = found.wasNull();
        long lastGrantAt = found.getLong("last_grant_at");
        boolean noGrant = found.wasNull();
        long holdUntil = found.getLong("rate_limit_hold_until");
        boolean notHeld = found.wasNull();
        return new RunRow(
                request,
                found.getLong("number"),
                RunJson.readNeeds(found.getString("limit_needs"), plan, priority),
                found.getLong("accepted_at"),
                notStartedIf(startedAt, notStarted),
                StateCodes.run(found.getString("state")),
                RunJson.readEnding(found.getString("ending")),
                SettingJson.readOverrides(found.getString("overrides")),
                notStartedIf(lastGrantAt, noGrant),
                found.getInt("starts_in_tick"),
                RunJson.readDetail(found.getString("detail")).withHoldUntil(notStartedIf(holdUntil, notHeld)));
    }
}
