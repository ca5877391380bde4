/**
 * A journal that keeps everything in memory and fails on demand, and the contracts that every journal and log store
 * must meet.
 */
@NullMarked
package dev.weir.testkit.journal;

import org.jspecify.annotations.NullMarked;
