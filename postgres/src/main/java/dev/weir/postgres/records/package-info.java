/** Records of runs, steps and workflows, read as a database role that sees only one organisation. */
@NullMarked
package dev.weir.postgres.records;

import org.jspecify.annotations.NullMarked;
