/** Workflow versions, compiled once for all of their runs. */
@NullMarked
package dev.weir.core.plan;

import org.jspecify.annotations.NullMarked;
