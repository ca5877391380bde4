/** Changes for readers after each commit, and the last hour of every busy key, both in memory. */
@NullMarked
package dev.weir.engine.live;

import org.jspecify.annotations.NullMarked;
