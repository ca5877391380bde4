/** The journal in PostgreSQL: shard ownership, transactions, and loading of organisations. */
@NullMarked
package dev.weir.postgres.journal;

import org.jspecify.annotations.NullMarked;
