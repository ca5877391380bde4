/** How requests come in and answers go out: authentication, bodies, problems. */
@NullMarked
package dev.weir.server.http;

import org.jspecify.annotations.NullMarked;
