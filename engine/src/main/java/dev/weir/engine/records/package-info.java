/** Queries on runs, steps and workflows, unfinished or ended: the port that a store implements. */
@NullMarked
package dev.weir.engine.records;

import org.jspecify.annotations.NullMarked;
