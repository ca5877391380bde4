package dev.weir.core.definition;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as they are written in definitions: {@code 500ms}, {@code 10s}, {@code 1m}, {@code 2h}, {@code 7d}, or ISO-8601. */
public final class Durations {
    public static final String EXPECTED = "a duration with a unit, such as 500ms, 10s, 1m, 2h, 7d or PT30S";

    private static final Pattern WITH_UNIT = Pattern.compile("([0-9]{1,15})(ms|s|m|h|d)");

    private Durations() {}

    /** The duration that the text says, or nothing if it says none. */
    public static Optional<Duration> parse(String text) {
        Matcher matcher = WITH_UNIT.matcher(text);
        try {
            return Optional.of(matcher.matches() ? withUnit(matcher) : Duration.parse(text));
        } catch (DateTimeParseException | ArithmeticException e) {
            return Optional.empty();
        }
    }

    /** The shortest way of writing it that {@link #parse} reads back. */
    public static String text(Duration value) {
        if (value.getNano() % 1_000_000 != 0 || value.isNegative() || value.getSeconds() > 999_999_999_999L) {
            return value.toString();
        }
        long millis = value.toMillis();
        if (millis % 1_000 != 0 || millis == 0) {
            return millis + "ms";
        }
        if (millis % 86_400_000 == 0) {
            return millis / 86_400_000 + "d";
        }
        if (millis % 3_600_000 == 0) {
            return millis / 3_600_000 + "h";
        }
        return millis % 60_000 == 0 ? millis / 60_000 + "m" : millis / 1_000 + "s";
    }

    private static Duration withUnit(Matcher matcher) {
        long amount = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2)) {
            case "ms" -> Duration.ofMillis(amount);
            case "s" -> Duration.ofSeconds(amount);
            case "m" -> Duration.ofMinutes(amount);
            case "h" -> Duration.ofHours(amount);
            default -> Duration.ofDays(amount);
        };
    }
}
