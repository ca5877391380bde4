package dev.weir.core.definition;

/** The number or share of a fan-out's items that may fail without failing the step. */
public sealed interface FailureTolerance {
    FailureTolerance NONE = new Count(0);

    /** True if the step may still complete. */
    boolean allows(int failed, int total);

    /** A number of items. */
    record Count(int items) implements FailureTolerance {
        public Count {
            FieldChecks.checkRange("tolerate", items, 0, DefinitionBounds.ITEMS_FROM_RANGE_MAX);
        }

        @Override
        public boolean allows(int failed, int total) {
            return failed <= items;
        }
    }

    /** A percentage of all items, rounded down. */
    record Percent(int percent) implements FailureTolerance {
        public Percent {
            FieldChecks.checkRange("tolerate", percent, 0, 100);
        }

        @Override
        public boolean allows(int failed, int total) {
            return failed * 100L <= (long) total * percent;
        }
    }
}
