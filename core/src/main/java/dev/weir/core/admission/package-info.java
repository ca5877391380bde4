/** Admission: the one place where waiting tickets meet limits and polls, and where it is decided who starts. */
@NullMarked
package dev.weir.core.admission;

import org.jspecify.annotations.NullMarked;
