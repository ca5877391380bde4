package dev.weir.engine.live;

/** The kinds of things whose changes can be read. */
public enum ChangeTopic {
    RUNS,
    STEPS,
    KEYS,
    DEAD_LETTERS,
    NOTICES
}
