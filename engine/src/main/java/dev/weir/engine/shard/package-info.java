/** One loop for each open shard: it drains a mailbox, lets the rules decide, commits once, and then answers. */
@NullMarked
package dev.weir.engine.shard;

import org.jspecify.annotations.NullMarked;
