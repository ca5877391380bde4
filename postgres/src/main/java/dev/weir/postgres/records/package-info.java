/** Reads of runs, steps and workflows, each as the role that sees one organisation only. */
@NullMarked
package dev.weir.postgres.records;

import org.jspecify.annotations.NullMarked;
