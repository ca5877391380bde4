/** The HTTP layer: authentication, request bodies, responses and problems. */
@NullMarked
package dev.weir.server.http;

import org.jspecify.annotations.NullMarked;
