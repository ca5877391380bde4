/** Live runs and the rules that move them: commands and due times come in, decided moves come out. */
@NullMarked
package dev.weir.core.run;

import org.jspecify.annotations.NullMarked;
