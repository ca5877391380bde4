package dev.weir.engine.records;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The quota of an organisation for the runs that start in a month. Nothing enforces it.
 *
 * @param limit absent = none is set
 * @param used the runs that started in the present month
 * @param timeZone the time zone in which months begin
 * @param resetAt the beginning of the next month
 */
public record QuotaRecord(@Nullable Long limit, long used, String timeZone, Instant resetAt) {
    /** The rest of the quota, at least 0; null if none is set. */
    public @Nullable Long remaining() {
        return limit == null ? null : (Long) Math.max(0, limit - used);
    }
}
