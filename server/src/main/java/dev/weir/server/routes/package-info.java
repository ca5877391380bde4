/** What each path of the API does. */
@NullMarked
package dev.weir.server.routes;

import org.jspecify.annotations.NullMarked;
