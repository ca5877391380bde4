package dev.weir.server.view;

import dev.weir.core.limit.Moment;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Small things as the wire has them. */
public final class Words {
    private Words() {}

    /** The name of a constant: {@code needs_input}. */
    public static String of(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    /** A text, or null where it is empty. */
    public static @Nullable String orNull(String text) {
        return text.isEmpty() ? null : text;
    }

    /** A time, or null where it never comes or never was. */
    public static @Nullable Instant at(long micros) {
        return micros == Moment.NEVER || micros == Long.MIN_VALUE ? null : Moment.toInstant(micros);
    }

    /** The index of an item, or null where there is none. */
    public static @Nullable Integer item(int index) {
        return index < 0 ? null : (Integer) index;
    }
}
