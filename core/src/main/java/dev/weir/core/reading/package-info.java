/** Reads definitions: a text becomes records, or a list of all problems with their positions. */
@NullMarked
package dev.weir.core.reading;

import org.jspecify.annotations.NullMarked;
