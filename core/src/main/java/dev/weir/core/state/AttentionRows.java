package dev.weir.core.state;

import java.util.List;

/**
 * The rows about what needs a person's attention.
 *
 * @param lastDeadLetter the number of the newest dead letter; 0 if there was none
 * @param openDeadLetters the number of open dead letters, counted up to {@link #OPEN_COUNTED_MAX}
 * @param lastNotice the number of the newest notice; 0 if there was none
 * @param notices the open notices, oldest first
 */
public record AttentionRows(long lastDeadLetter, long openDeadLetters, long lastNotice, List<Notice> notices) {
    /** The number of open dead letters up to which they are counted when an organisation is loaded. */
    public static final int OPEN_COUNTED_MAX = 10_000;

    public static final AttentionRows NONE = new AttentionRows(0, 0, 0, List.of());

    public AttentionRows {
        notices = List.copyOf(notices);
    }
}
