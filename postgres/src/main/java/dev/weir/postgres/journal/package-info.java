/** The journal: tenures of shards, their transactions, and what is loaded from rows. */
@NullMarked
package dev.weir.postgres.journal;

import org.jspecify.annotations.NullMarked;
