/**
 * Tests on real processes: nodes, PostgreSQL and connections are ended around a commit, and the results are
 * checked.
 */
@NullMarked
package dev.weir.cli.rig;

import org.jspecify.annotations.NullMarked;
