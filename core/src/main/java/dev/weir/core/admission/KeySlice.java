package dev.weir.core.admission;

import java.util.List;

/**
 * A part of a list of keys.
 *
 * @param end the position at which the next slice begins; {@link #END} if there is none
 */
public record KeySlice(List<KeySummary> keys, long end) {
    /** The position before the first key. */
    public static final long START = -1;

    /** The position after the last key. */
    public static final long END = Long.MAX_VALUE;
}
