/** From the text of a definition to its records, or to every reason why not, each with its line and column. */
@NullMarked
package dev.weir.core.reading;

import org.jspecify.annotations.NullMarked;
