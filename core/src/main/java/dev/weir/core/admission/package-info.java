/** Admission: the one place that matches waiting tickets with limits and polls, and decides which tickets start. */
@NullMarked
package dev.weir.core.admission;

import org.jspecify.annotations.NullMarked;
