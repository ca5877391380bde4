package dev.weir.engine.call;

import dev.weir.core.state.Update;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** Parses the Retry-After header, with which a server asks callers to wait: seconds, or a date. */
final class RetryAfterHeader {
    /** The longest wait that is respected, so that a server's mistake does not stop a key for ever. */
    static final Duration MAX = Duration.of(Update.Failed.RETRY_AFTER_MAX, ChronoUnit.MICROS);

    private RetryAfterHeader() {}

    /** Returns the wait; absent if the header cannot be parsed. */
    static @Nullable Duration parse(String value, Instant now) {
        String text = value.trim();
        if (!text.isEmpty() && text.length() <= 9 && text.chars().allMatch(c -> c >= '0' && c <= '9')) {
            return cap(Duration.ofSeconds(Long.parseLong(text)));
        }
        try {
            Instant at = Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(text));
            Duration wait = Duration.between(now, at);
            return wait.isNegative() ? Duration.ZERO : cap(wait);
        } catch (DateTimeException e) {
            return null;
        }
    }

    private static Duration cap(Duration wait) {
        return wait.compareTo(MAX) > 0 ? MAX : wait;
    }
}
