/** Secrets: their source, how they get into the input of a step, and how they are hidden in what comes back. */
@NullMarked
package dev.weir.engine.secret;

import org.jspecify.annotations.NullMarked;
