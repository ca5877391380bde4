/** The proof on real processes: nodes, PostgreSQL and connections that end around a commit, and what is left afterwards. */
@NullMarked
package dev.weir.cli.rig;

import org.jspecify.annotations.NullMarked;
