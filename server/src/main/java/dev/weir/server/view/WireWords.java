package dev.weir.server.view;

import dev.weir.core.limit.Moment;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Converts constants, times and indexes to the wire format. */
public final class WireWords {
    private WireWords() {}

    /** Returns the wire name of a constant: {@code needs_input}. */
    public static String of(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    /** Returns a text, or null if it is empty. */
    public static @Nullable String orNull(String text) {
        return text.isEmpty() ? null : text;
    }

    /** Returns a time, or null if it stands for never or for no time. */
    public static @Nullable Instant at(long micros) {
        return micros == Moment.NEVER || micros == Long.MIN_VALUE ? null : Moment.toInstant(micros);
    }

    /** Returns the index of an item, or null if there is none. */
    public static @Nullable Integer item(int index) {
        return index < 0 ? null : (Integer) index;
    }
}
