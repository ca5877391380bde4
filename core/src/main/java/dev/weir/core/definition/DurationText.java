package dev.weir.core.definition;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads and writes durations as definitions spell them: {@code 500ms}, {@code 10s}, {@code 1m}, {@code 2h}, {@code 7d},
 * or ISO-8601.
 */
public final class DurationText {
    public static final String EXPECTED = "a duration with a unit, such as 500ms, 10s, 1m, 2h, 7d or PT30S";

    private static final Pattern WITH_UNIT = Pattern.compile("([0-9]{1,15})(ms|s|m|h|d)");

    /** The expected form of a period. A plain number counts milliseconds. */
    public static final String PERIOD_EXPECTED =
            "a duration with a unit, such as 10s, or a number of milliseconds, such as 60000 or 60_000";

    /**
     * A number with underscores between the digits, as in programming languages. YAML 1.2 reads it as text. A text of
     * digits alone is a mistake and does not match.
     */
    private static final Pattern GROUPED_NUMBER = Pattern.compile("[0-9]{1,3}(_[0-9]{3}){1,4}");

    private DurationText() {}

    /**
     * Parses a period: like {@link #parse}, or {@code 60_000} for milliseconds. Returns empty if the text is neither.
     */
    public static Optional<Duration> parsePeriod(String text) {
        return GROUPED_NUMBER.matcher(text).matches()
                ? Optional.of(Duration.ofMillis(Long.parseLong(text.replace("_", ""))))
                : parse(text);
    }

    /** Parses a duration. Returns empty if the text is not one. */
    public static Optional<Duration> parse(String text) {
        Matcher matcher = WITH_UNIT.matcher(text);
        try {
            return Optional.of(matcher.matches() ? parseWithUnit(matcher) : Duration.parse(text));
        } catch (DateTimeParseException | ArithmeticException e) {
            return Optional.empty();
        }
    }

    /** Returns the shortest text that {@link #parse} reads back as the same duration. */
    public static String format(Duration value) {
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

    private static Duration parseWithUnit(Matcher matcher) {
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
