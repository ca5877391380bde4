/** A journal that keeps everything in memory, and fails where it is told to. */
@NullMarked
package dev.weir.testkit.journal;

import org.jspecify.annotations.NullMarked;
