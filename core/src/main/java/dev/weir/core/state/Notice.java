package dev.weir.core.state;

import java.util.Comparator;
import java.util.Locale;

/**
 * A notice to operators, such as that a limit is nearly used up. It is issued once when a threshold is crossed, and
 * stays open until the value has been low for a while. It contains identifiers and numbers only.
 *
 * @param number the position among the notices of the organisation, from 1; never used twice
 * @param used the value that crossed the threshold
 * @param max the value that it is compared with; 0 if there is none
 * @param at the time of the decision
 */
public record Notice(long number, Subject subject, Severity severity, long used, long max, long at) {
    /** The kinds of notices. */
    public enum Kind {
        /** A capacity of a limit is nearly or completely in use. */
        CAPACITY,
        /** A rate of a limit is nearly or completely used. */
        RATE,
        /** Work is wider than a limit, so that it can never start. */
        OVER_CAPACITY,
        /** Work has waited for a limit for very long. */
        OLDEST_WAITER,
        /** The memory of a node differed from the rows, and was corrected. */
        SWEEP_DIFFERENCE,
        /** Many dead letters are open. */
        DEAD_LETTERS,
        /** More limits crossed a threshold than are listed one by one. */
        MORE_LIMITS;

        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** The severity of a notice. */
    public enum Severity {
        WARNING,
        CRITICAL;

        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * The thing that a notice is about.
     *
     * @param name the text of the limit, such as {@code key:billing}; empty if it is about the organisation
     */
    public record Subject(Kind kind, String name) implements Comparable<Subject> {
        private static final Comparator<Subject> ORDER =
                Comparator.comparing(Subject::kind).thenComparing(Subject::name);

        @Override
        public int compareTo(Subject other) {
            return ORDER.compare(this, other);
        }
    }
}
