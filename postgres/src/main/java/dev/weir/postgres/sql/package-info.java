/** Access to SQL: named statements, bulk writes, connections, and the classification of failures. */
@NullMarked
package dev.weir.postgres.sql;

import org.jspecify.annotations.NullMarked;
