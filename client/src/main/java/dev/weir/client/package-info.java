/** A typed client of Weir's HTTP API, and a worker. */
@NullMarked
package dev.weir.client;

import org.jspecify.annotations.NullMarked;
