package dev.weir.postgres.journal;

import dev.weir.engine.journal.LoadUnfinished;

/**
 * Limits the definitions that the loads of one pass read. An organisation may have runs of thousands of workflow
 * versions, and reading all of them at once would stop the loop for minutes. Plans that are in the cache do not count,
 * so each pass gets further.
 */
final class DefinitionReads {
    /** The characters of definitions that the loads of one pass read, without the last definition: some 50 ms of CPU. */
    static final int CHARS_MAX = 256 * 1024;
    /** The passes after which a load reads everything: the cache may have no room for so many plans. */
    static final int UNFINISHED_LOADS_MAX = 2 * PlanCache.PLANS_MAX;

    private long chars;
    private int unfinishedLoads;
    private boolean isLimited;

    /** Begins a load. One that is not limited reads everything. */
    void beginLoad(boolean canBeRepeated) {
        isLimited = canBeRepeated && unfinishedLoads < UNFINISHED_LOADS_MAX;
    }

    /** Records that a load read everything. */
    void markLoaded() {
        unfinishedLoads = 0;
    }

    void endLoad() {
        isLimited = false;
    }

    /** Begins the next pass. */
    void beginPass() {
        chars = 0;
    }

    /** Checks that the load may read another definition. */
    void check() {
        if (isLimited && chars >= CHARS_MAX) {
            unfinishedLoads++;
            throw new LoadUnfinished("expected definitions of at most " + CHARS_MAX + " characters, found more");
        }
    }

    void recordRead(String definition) {
        chars += definition.length();
    }
}
