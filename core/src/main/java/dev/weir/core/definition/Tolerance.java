package dev.weir.core.definition;

/** How many items of a fan-out may fail without failing the step. */
public sealed interface Tolerance {
    Tolerance NONE = new Count(0);

    /** Whether the step may still complete. */
    boolean allows(int failed, int total);

    /** That many. */
    record Count(int items) implements Tolerance {
        public Count {
            Require.between("tolerate", items, 0, Bounds.ITEMS_FROM_RANGE_MAX);
        }

        @Override
        public boolean allows(int failed, int total) {
            return failed <= items;
        }
    }

    /** That part of all items, rounded down. */
    record Percent(int percent) implements Tolerance {
        public Percent {
            Require.between("tolerate", percent, 0, 100);
        }

        @Override
        public boolean allows(int failed, int total) {
            return failed * 100L <= (long) total * percent;
        }
    }
}
