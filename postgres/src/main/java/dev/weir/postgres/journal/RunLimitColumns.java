package dev.weir.postgres.journal;

import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.Moment;
import dev.weir.core.limit.OperatorSetting;
import dev.weir.core.limit.RunLimitConfig;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The columns of operators' limits on runs. Each limit has three: its lasting value, its temporary value, and the end of that. */
final class RunLimitColumns {
    private RunLimitColumns() {}

    /** Returns the values of a row, in the order of the statement that writes it. */
    static @Nullable Object[] row(int org, String workflow, RunLimitConfig config) {
        List<@Nullable Object> row = new ArrayList<>();
        row.add(org);
        row.add(workflow);
        for (OperatorSetting<Integer> setting : List.of(
                config.maxConcurrentRuns(),
                config.runsPerMinute(),
                config.maxConcurrentRunsPerKey(),
                config.maxCascadeDepth())) {
            row.add(setting.lasting());
            row.add(setting.temporary());
            row.add(setting.temporary() == null ? null : (Long) setting.until());
        }
        RunLimitConfig.Change change = config.change();
        row.add(change.version());
        row.add(change.at());
        row.add(change.actor());
        row.add(change.reason());
        return row.toArray();
    }

    static LimitId.WorkflowRuns limit(ResultSet found) throws SQLException {
        return new LimitId.WorkflowRuns(found.getString("subject"));
    }

    static RunLimitConfig read(ResultSet found) throws SQLException {
        var change = new RunLimitConfig.Change(
                found.getLong("version"),
                found.getString("actor"),
                found.getString("reason"),
                found.getLong("changed_at"));
        return new RunLimitConfig(
                setting(found, "max_concurrent_runs"),
                setting(found, "runs_per_minute"),
                setting(found, "max_concurrent_runs_per_key"),
                setting(found, "max_cascade_depth"),
                change);
    }

    private static OperatorSetting<Integer> setting(ResultSet found, String column) throws SQLException {
        Integer lasting = found.getObject(column, Integer.class);
        Integer temporary = found.getObject(column + "_temporary", Integer.class);
        long until = temporary == null ? Moment.NEVER : found.getLong(column + "_until");
        return lasting == null && temporary == null
                ? OperatorSetting.none()
                : new OperatorSetting<>(lasting, temporary, until);
    }
}
