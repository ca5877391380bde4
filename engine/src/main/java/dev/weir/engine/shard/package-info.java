/** The shard loop: takes a batch from the mailbox, lets the rules decide it, commits once, and then answers. */
@NullMarked
package dev.weir.engine.shard;

import org.jspecify.annotations.NullMarked;
