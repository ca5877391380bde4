package dev.weir.engine.journal;

/** Memory for the rows that a load reads. The load asks for it before it keeps them. */
@FunctionalInterface
public interface LoadAllowance {
    /** An allowance without a limit. */
    LoadAllowance UNLIMITED = bytes -> {};

    /**
     * Takes memory, and waits for it if necessary.
     *
     * @throws LoadUnfinished if other loads need the memory first; the load is repeated later
     */
    void take(long bytes);
}
