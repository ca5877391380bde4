/** The wire contract: requests, responses and problems, in JSON with names in snake_case. */
@NullMarked
package dev.weir.api;

import org.jspecify.annotations.NullMarked;
