package dev.weir.core.life;

/** A step or item that is claimed, and its run as the rows of a store name it. */
public record ClaimedUnit(RunRef run, UnitId unit) {}
