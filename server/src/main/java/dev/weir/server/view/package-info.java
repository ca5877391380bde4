/** Converts records and query results of the engine to the wire format. */
@NullMarked
package dev.weir.server.view;

import org.jspecify.annotations.NullMarked;
