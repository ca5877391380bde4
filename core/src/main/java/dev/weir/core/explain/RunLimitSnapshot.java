package dev.weir.core.explain;

import dev.weir.core.admission.LimitSnapshot;
import dev.weir.core.limit.RunLimitConfig;
import org.jspecify.annotations.Nullable;

/**
 * The limits on runs of an organisation, a workflow or a run key.
 *
 * @param config the operators' values
 * @param usage the usage of the limit; absent if no run counts against it
 * @param now the time of the query
 */
public record RunLimitSnapshot(
        RunLimitConfig config, @Nullable LimitSnapshot usage, long now) {}
