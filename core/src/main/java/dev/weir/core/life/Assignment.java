package dev.weir.core.life;

import dev.weir.core.expression.Rendered;

/**
 * What a worker is given.
 *
 * @param attempt which try it is, from 1
 * @param input what the step was given, with its secrets still names
 */
public record Assignment(Claim claim, int attempt, Rendered input) {}
