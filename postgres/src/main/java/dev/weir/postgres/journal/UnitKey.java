package dev.weir.postgres.journal;

/** A step or item as rows name it. */
record UnitKey(long run, short step, int item) {}
