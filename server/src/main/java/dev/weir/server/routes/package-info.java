/** The routes of the API: what each path does. */
@NullMarked
package dev.weir.server.routes;

import org.jspecify.annotations.NullMarked;
