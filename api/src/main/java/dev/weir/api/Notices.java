package dev.weir.api;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Responses about notices to operators. */
public final class Notices {
    private Notices() {}

    /**
     * A notice.
     *
     * @param kind capacity, rate, over_capacity, oldest_waiter, sweep_difference, dead_letters or more_limits
     * @param severity warning or critical
     * @param state open or closed
     * @param subject the limit that it is about, such as {@code key:billing}; absent if it is about the organisation
     * @param used the value that crossed the threshold; seconds for oldest_waiter
     * @param max the value that it is compared with; absent if there is none
     */
    public record NoticeView(
            String id,
            String kind,
            String severity,
            String state,
            @Nullable String subject,
            long used,
            @Nullable Long max,
            Instant openedAt,
            @Nullable Instant closedAt) {}

    public record NoticePage(
            List<NoticeView> notices, @Nullable String next) {}
}
