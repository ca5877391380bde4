/** What rows hold as JSON, written compactly and read back as it was. */
@NullMarked
package dev.weir.postgres.json;

import org.jspecify.annotations.NullMarked;
