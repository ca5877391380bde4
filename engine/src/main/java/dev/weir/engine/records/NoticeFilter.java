package dev.weir.engine.records;

import dev.weir.core.state.Notice;
import org.jspecify.annotations.Nullable;

/**
 * A filter for notices. A notice must match all given criteria; an absent one matches all.
 *
 * @param open true for open notices only, false for closed ones only
 * @param subject the name of the subject, such as {@code key:billing}
 */
public record NoticeFilter(
        @Nullable Boolean open,
        Notice.@Nullable Kind kind,
        Notice.@Nullable Severity severity,
        @Nullable String subject) {
    public static final NoticeFilter ALL = new NoticeFilter(null, null, null, null);

    /** True if a notice matches. */
    public boolean matches(NoticeRecord found) {
        Notice notice = found.notice();
        return (open == null || open == (found.closedAt() == null))
                && (kind == null || kind == notice.subject().kind())
                && (severity == null || severity == notice.severity())
                && (subject == null || subject.equals(notice.subject().name()));
    }
}
