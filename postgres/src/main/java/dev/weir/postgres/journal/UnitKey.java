package dev.weir.postgres.journal;

/** The key of a step or item in the database. */
record UnitKey(long run, short step, int item) {}
