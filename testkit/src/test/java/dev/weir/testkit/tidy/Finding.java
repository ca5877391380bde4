package dev.weir.testkit.tidy;

import java.util.Comparator;

/**
 * Something untidy: where it is, what was found and what to do about it.
 *
 * @param file the path from the root of the repository, with slashes
 * @param line counted from 1
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
