package dev.weir.engine.journal;

import dev.weir.core.state.UnitId;

/** The fields of a claim that a sweep compares. */
public record ClaimSummary(UnitId unit, long fence, long until) {}
