/** A node of Weir: HTTP server, engine and database in one process. */
@NullMarked
package dev.weir.server;

import org.jspecify.annotations.NullMarked;
