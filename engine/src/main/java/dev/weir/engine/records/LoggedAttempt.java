package dev.weir.engine.records;

import dev.weir.core.state.UnitId;
import java.time.Instant;

/**
 * An attempt that has logged something.
 *
 * @param lastAt the time when it logged last
 * @param end the last {@link #END_CHARS_MAX} characters of its log
 * @param truncated true if there is text before them, or was
 */
public record LoggedAttempt(UnitId unit, int attempt, Instant lastAt, String end, boolean truncated) {
    /** The number of characters of a log that a list shows. */
    public static final int END_CHARS_MAX = 4_000;

    /** Creates an entry of a list from a whole log, or its last part. */
    public static LoggedAttempt of(UnitId unit, int attempt, Instant lastAt, String text, boolean truncated) {
        int from = Math.max(0, text.length() - END_CHARS_MAX);
        boolean splitsCharacter = from > 0 && Character.isLowSurrogate(text.charAt(from));
        String end = text.substring(splitsCharacter ? from + 1 : from);
        return new LoggedAttempt(unit, attempt, lastAt, end, truncated || from > 0);
    }
}
