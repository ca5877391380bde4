package dev.weir.forecast.text;

import java.util.Locale;

/** Formats numbers and durations for people, and columns of text. */
public final class HumanText {
    private static final long MILLI = 1_000;
    private static final long SECOND = 1_000 * MILLI;
    private static final long MINUTE = 60 * SECOND;
    private static final long HOUR = 60 * MINUTE;
    private static final long DAY = 24 * HOUR;

    private HumanText() {}

    /** Formats a duration in its two largest units: {@code 3 m 20 s}. */
    public static String time(long micros) {
        if (micros < MINUTE - SECOND / 200) {
            return micros < SECOND ? formatBelowSecond(micros) : trimmed(micros / (double) SECOND) + " s";
        }
        long seconds = Math.round(micros / (double) SECOND);
        if (seconds * SECOND >= DAY) {
            return days(seconds);
        }
        return seconds * SECOND >= HOUR
                ? joinUnits(seconds / 3_600 + " h", Math.round(seconds % 3_600 / 60.0) + " m")
                : joinUnits(seconds / 60 + " m", seconds % 60 + " s");
    }

    private static String formatBelowSecond(long micros) {
        return micros == 0 ? "0 s" : micros < MILLI ? micros + " µs" : trimmed(micros / (double) MILLI) + " ms";
    }

    /** Formats a duration of at least a day. Seconds follow the days only if there are no hours or minutes. */
    private static String days(long seconds) {
        long rest = seconds % 86_400;
        String more = rest >= 3_600 ? rest / 3_600 + " h" : rest >= 60 ? rest / 60 + " m" : rest + " s";
        return joinUnits(HumanText.count(seconds / 86_400) + " d", more);
    }

    private static String joinUnits(String first, String second) {
        return second.startsWith("0 ") ? first : first + " " + second;
    }

    /** Formats a number with at most two decimals and without trailing zeros. */
    private static String trimmed(double value) {
        String text = String.format(Locale.ROOT, "%.2f", value);
        return text.replaceAll("\\.?0+$", "");
    }

    static String number(double value) {
        return value >= 100 ? String.format(Locale.ROOT, "%,.0f", value) : trimmed(value);
    }

    public static String count(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }

    static String percent(double part) {
        return part > 0 && part < 0.005 ? "<1 %" : Math.round(part * 100) + " %";
    }

    /** Formats a count per time in the most readable unit. */
    static String rate(long count, long micros) {
        if (micros == 0) {
            return "immediately";
        }
        double perSecond = count * (double) SECOND / micros;
        if (perSecond >= 1) {
            return number(perSecond) + " per second";
        }
        if (perSecond * 60 >= 1) {
            return number(perSecond * 60) + " per minute";
        }
        return perSecond * 3_600 >= 1
                ? number(perSecond * 3_600) + " per hour"
                : number(perSecond * 86_400) + " per day";
    }

    /** Cuts a text to this many characters. */
    public static String truncate(String text, int width) {
        return text.length() <= width ? text : text.substring(0, Math.max(0, width - 2)) + "..";
    }

    public static String pad(String text, int width) {
        return text + " ".repeat(Math.max(0, width - text.length()));
    }

    static String padLeft(String text, int width) {
        return " ".repeat(Math.max(0, width - text.length())) + text;
    }
}
