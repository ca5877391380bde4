package dev.weir.engine.records;

import org.jspecify.annotations.Nullable;

/**
 * A filter for entries of the audit. An absent field matches every entry.
 *
 * @param target the whole target, such as {@code key:billing}
 * @param since the earliest time, in microseconds; {@link Long#MIN_VALUE} if there is none
 * @param until the time before which entries were made, in microseconds; {@link Long#MAX_VALUE} if there is none
 */
public record AuditFilter(
        @Nullable String actor,
        @Nullable String action,
        @Nullable String target,
        long since,
        long until) {
    public static final AuditFilter ALL = new AuditFilter(null, null, null, Long.MIN_VALUE, Long.MAX_VALUE);
}
