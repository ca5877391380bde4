/** Whole lives of runs over HTTP, on a node in a process of its own that is killed in the middle of them. */
@NullMarked
package dev.weir.cli.life;

import org.jspecify.annotations.NullMarked;
