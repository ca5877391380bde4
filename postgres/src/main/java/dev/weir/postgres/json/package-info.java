/** JSON in rows: compact when written, and unchanged when read back. */
@NullMarked
package dev.weir.postgres.json;

import org.jspecify.annotations.NullMarked;
