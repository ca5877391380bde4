package dev.weir.engine.records;

import dev.weir.core.state.Notice;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A notice as it is stored.
 *
 * @param closedAt the time at which it was closed; absent while it is open
 */
public record NoticeRecord(Notice notice, @Nullable Instant closedAt) {}
