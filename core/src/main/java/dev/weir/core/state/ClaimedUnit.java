package dev.weir.core.state;

/** A step or item that is claimed, with the reference to its run that the store's rows use. */
public record ClaimedUnit(RunRef run, UnitId unit) {}
