package dev.weir.engine.journal;

import dev.weir.core.life.UnitId;

/** What a sweep compares of a claim. */
public record ClaimMark(UnitId unit, long fence, long until) {}
