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
    static final int UNFINISHED_MAX = 2 * PlanCache.PLANS_MAX;

    private long chars;
    private int unfinished;
    private boolean limited;

    /** Begins a load. One that is not limited reads everything. */
    void beginLoad(boolean canBeRepeated) {
        limited = canBeRepeated && unfinished < UNFINISHED_MAX;
    }

    /** Records that a load read everything. */
    void loaded() {
        unfinished = 0;
    }

    void endLoad() {
        limited = false;
    }

    /** Begins the next pass. */
    void renew() {
        chars = 0;
    }

    /** Checks that the load may read another definition. */
    void check() {
        if (limited && chars >= CHARS_MAX) {
            unfinished++;
            throw new LoadUnfinished("expected definitions of at most " + CHARS_MAX + " characters, found more");
        }
    }

    void read(String definition) {
        chars += definition.length();
    }
}
