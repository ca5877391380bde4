package dev.weir.postgres.journal;

import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.LimitStart;
import dev.weir.core.limit.Rate;
import dev.weir.core.limit.RateTracker;
import dev.weir.postgres.json.LimitJson;
import dev.weir.postgres.sql.SqlStatements;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads all stored starts of limits, however old. Needed when a limit gets a longer period than any known before. */
final class StoredStarts {
    private static final SqlStatements SQL = SqlStatements.of(StoredStarts.class);
    /**
     * The width of a bucket in microseconds: the longest period divided by the number of remembered starts. Older
     * starts in one bucket are read as one.
     */
    private static final long BUCKET_MICROS = Rate.PERIOD_MAX / RateTracker.EXACT_STARTS;

    private StoredStarts() {}

    static Map<LimitId.Shared, List<LimitStart>> of(
            PostgresShardOwnership ownership, int org, Collection<LimitId.Shared> limits) throws SQLException {
        Map<LimitId.Shared, List<LimitStart>> starts = new HashMap<>();
        limits.forEach(limit -> starts.put(limit, new ArrayList<>()));
        try (var statement = ownership.connection.prepareStatement(SQL.get("kept_starts"))) {
            statement.setInt(1, org);
            statement.setInt(2, RateTracker.EXACT_STARTS);
            statement.setLong(3, BUCKET_MICROS);
            String[] texts = limits.stream().map(LimitId.Shared::text).toArray(String[]::new);
            statement.setArray(4, ownership.connection.createArrayOf("text", texts));
            try (ResultSet found = statement.executeQuery()) {
                while (found.next()) {
                    LimitId.Shared limit = LimitJson.limit(found.getString("limit"));
                    int cost = (int) Math.min(Integer.MAX_VALUE, found.getLong("cost"));
                    starts.computeIfAbsent(limit, ignored -> new ArrayList<>())
                            .add(new LimitStart(limit, found.getLong("at"), cost, null, false));
                }
            }
        }
        return starts;
    }
}
