/** Answers to people's questions: why something waits, how a run stands, and where its time went. */
@NullMarked
package dev.weir.core.explain;

import org.jspecify.annotations.NullMarked;
