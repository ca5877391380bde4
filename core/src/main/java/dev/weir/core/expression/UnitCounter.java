package dev.weir.core.expression;

/** Counts units of work: the cost of evaluations, and of other work that takes as long. */
public final class UnitCounter {
    private long units;

    public void add(long more) {
        units += more;
    }

    /** The units counted so far. */
    public long units() {
        return units;
    }
}
