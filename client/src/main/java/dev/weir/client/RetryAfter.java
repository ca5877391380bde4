package dev.weir.client;

import java.net.http.HttpHeaders;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The {@code Retry-After} header of a response: seconds, or a date relative to the server's own {@code Date}. */
final class RetryAfter {
    private static final Pattern SECONDS = Pattern.compile("[0-9]{1,9}");

    private RetryAfter() {}

    static @Nullable Duration of(HttpResponse<?> response) {
        return of(response.headers());
    }

    static @Nullable Duration of(HttpHeaders headers) {
        String value = headers.firstValue("Retry-After").orElse("").strip();
        if (SECONDS.matcher(value).matches()) {
            return Duration.ofSeconds(Long.parseLong(value));
        }
        try {
            ZonedDateTime until = ZonedDateTime.parse(value, DateTimeFormatter.RFC_1123_DATE_TIME);
            ZonedDateTime now =
                    ZonedDateTime.parse(headers.firstValue("Date").orElse(""), DateTimeFormatter.RFC_1123_DATE_TIME);
            Duration wait = Duration.between(now, until);
            return wait.isNegative() ? Duration.ZERO : wait;
        } catch (DateTimeParseException e) {
            return null;
        }
    }
}
