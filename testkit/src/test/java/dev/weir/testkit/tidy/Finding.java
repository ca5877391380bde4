package dev.weir.testkit.tidy;

import java.util.Comparator;

/**
 * A broken rule: its place, the offending text, and the remedy.
 *
 * @param file the path from the root of the repository, with slashes
 * @param line the line number, starting at 1
 */
record Finding(Rule rule, String file, long line, String found) implements Comparable<Finding> {
    private static final Comparator<Finding> ORDER =
            Comparator.comparing(Finding::file).thenComparingLong(Finding::line).thenComparing(Finding::rule);

    @Override
    public int compareTo(Finding other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return file + ":" + line + ": " + found + "; " + rule.remedy() + " [" + rule + "]";
    }
}
