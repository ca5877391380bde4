/** The port to the store of decisions: takes shards, loads organisations, commits moves. */
@NullMarked
package dev.weir.engine.journal;

import org.jspecify.annotations.NullMarked;
