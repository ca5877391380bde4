/** The production rules lived through in virtual time, by seed, with faults; and checkers that read only the trace. */
@NullMarked
package dev.weir.testkit.simulator;

import org.jspecify.annotations.NullMarked;
