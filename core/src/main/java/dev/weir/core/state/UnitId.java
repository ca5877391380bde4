package dev.weir.core.state;

/**
 * The id of a unit: a step of a run, or one item of it.
 *
 * @param item the index of the item; {@link #NO_ITEM} for the step itself
 */
public record UnitId(String run, String step, int item) {
    public static final int NO_ITEM = -1;

    public static UnitId of(String run, String step) {
        return new UnitId(run, step, NO_ITEM);
    }

    /** Describes the unit for people. */
    public String describe() {
        return "run " + run + ", step " + step + (item == NO_ITEM ? "" : ", item " + item);
    }

    @Override
    public String toString() {
        return run + "/" + step + (item == NO_ITEM ? "" : "/" + item);
    }
}
