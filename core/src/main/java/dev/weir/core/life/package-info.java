/** The life of runs and steps: commands and due times in, decided moves out. */
@NullMarked
package dev.weir.core.life;

import org.jspecify.annotations.NullMarked;
