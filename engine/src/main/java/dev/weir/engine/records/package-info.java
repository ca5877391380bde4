/** What is read of runs, steps and workflows, living or ended: the port that a store implements. */
@NullMarked
package dev.weir.engine.records;

import org.jspecify.annotations.NullMarked;
