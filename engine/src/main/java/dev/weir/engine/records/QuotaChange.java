package dev.weir.engine.records;

import org.jspecify.annotations.Nullable;

/**
 * A new quota of an organisation.
 *
 * @param limit the runs of a month; absent = none
 * @param timeZone the time zone in which months begin; absent = as it is
 */
public record QuotaChange(@Nullable Long limit, @Nullable String timeZone) {}
