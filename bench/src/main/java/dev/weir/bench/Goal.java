package dev.weir.bench;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** A measured value and its goal. */
public record Goal(String name, double value, Bound bound, double goal) {
    /** The side of the goal on which the value should be. */
    public enum Bound {
        AT_LEAST("≥"),
        AT_MOST("≤");

        private final String sign;

        Bound(String sign) {
            this.sign = sign;
        }
    }

    public static Goal atLeast(String name, double value, double goal) {
        return new Goal(name, value, Bound.AT_LEAST, goal);
    }

    public static Goal atMost(String name, double value, double goal) {
        return new Goal(name, value, Bound.AT_MOST, goal);
    }

    public boolean met() {
        return switch (bound) {
            case AT_LEAST -> value >= goal;
            case AT_MOST -> value <= goal;
        };
    }

    /** Formats the goal as one line, the same for every benchmark: {@code ratio NAME VALUE goal GOAL met|missed}. */
    public String line() {
        return "ratio " + name + " " + formatNumber(value) + " goal " + bound.sign + formatNumber(goal) + " "
                + (met() ? "met" : "missed");
    }

    /** Formats the goals as a JSON array. Names and numbers need no escaping. */
    public static String json(List<Goal> goals) {
        return goals.stream()
                .map(goal -> "{\"name\":\"" + goal.name + "\",\"value\":" + goal.value + ",\"bound\":\""
                        + goal.bound.name().toLowerCase(Locale.ROOT) + "\",\"goal\":" + goal.goal + ",\"met\":"
                        + goal.met() + "}")
                .collect(Collectors.joining(",\n ", "[", "]"));
    }

    /** Joins several such arrays into one. */
    public static String join(List<String> arrays) {
        return arrays.stream()
                .map(array -> array.substring(1, array.length() - 1))
                .collect(Collectors.joining(",\n ", "[", "]"));
    }

    private static String formatNumber(double number) {
        return Math.abs(number) >= 100
                ? String.format(Locale.ROOT, "%.0f", number)
                : String.format(Locale.ROOT, "%.2f", number);
    }
}
