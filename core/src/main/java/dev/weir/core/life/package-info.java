/** The rules of runs and steps: commands and due times come in, decided moves come out. */
@NullMarked
package dev.weir.core.life;

import org.jspecify.annotations.NullMarked;
