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
    private static final String ORGANISATION = "organisation";
    private static final String WORKFLOW = "workflow";
    private static final String RUN_KEY = "run_key";

    private RunLimitColumns() {}

    /** Returns the values of a row, in the order of the statement that writes it. */
    static @Nullable Object[] row(int org, LimitId.Runs limit, RunLimitConfig config) {
        List<@Nullable Object> row = new ArrayList<>();
        row.add(org);
        switch (limit) {
            case LimitId.OrgRuns ignored -> row.addAll(List.of(ORGANISATION, "", ""));
            case LimitId.WorkflowRuns runs -> row.addAll(List.of(WORKFLOW, runs.workflow(), ""));
            case LimitId.RunKey key -> row.addAll(List.of(RUN_KEY, key.workflow(), key.key()));
        }
        for (OperatorSetting<?> setting : List.of(
                config.maxConcurrentRuns(),
                config.runsPerMinute(),
                config.maxConcurrentRunsPerKey(),
                config.maxCascadeDepth(),
                config.maxQueuedRuns(),
                config.defaultDebounce(),
                config.noticeOldestWaiter(),
                config.noticeDeadLetters())) {
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

    static LimitId.Runs limit(ResultSet found) throws SQLException {
        String scope = found.getString("scope");
        String subject = found.getString("subject");
        return switch (scope) {
            case ORGANISATION -> new LimitId.OrgRuns();
            case WORKFLOW -> new LimitId.WorkflowRuns(subject);
            case RUN_KEY -> new LimitId.RunKey(subject, found.getString("run_key"));
            default -> throw new IllegalStateException("expected a known scope of a limit, found " + scope);
        };
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
                setting(found, "max_queued_runs"),
                setting(found, "default_debounce", Long.class),
                setting(found, "notice_oldest_waiter", Long.class),
                setting(found, "notice_dead_letters"),
                change);
    }

    private static OperatorSetting<Integer> setting(ResultSet found, String column) throws SQLException {
        return setting(found, column, Integer.class);
    }

    private static <T> OperatorSetting<T> setting(ResultSet found, String column, Class<T> type) throws SQLException {
        T lasting = found.getObject(column, type);
        T temporary = found.getObject(column + "_temporary", type);
        long until = temporary == null ? Moment.NEVER : found.getLong(column + "_until");
        return lasting == null && temporary == null
                ? OperatorSetting.none()
                : new OperatorSetting<>(lasting, temporary, until);
    }
}
