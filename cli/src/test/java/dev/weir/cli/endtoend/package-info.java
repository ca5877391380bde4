/** Tests of whole runs over HTTP, on a node in its own process that is killed in the middle of them. */
@NullMarked
package dev.weir.cli.endtoend;

import org.jspecify.annotations.NullMarked;
