/**
 * Runs the production rules in virtual time, by seed, with faults, and checks them with checkers that read only the
 * trace.
 */
@NullMarked
package dev.weir.simulator;

import org.jspecify.annotations.NullMarked;
