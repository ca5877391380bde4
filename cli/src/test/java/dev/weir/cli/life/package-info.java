/** Tests of whole runs over HTTP, on a node in its own process that is killed in the middle of them. */
@NullMarked
package dev.weir.cli.life;

import org.jspecify.annotations.NullMarked;
