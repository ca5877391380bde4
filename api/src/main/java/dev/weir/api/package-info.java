/** The wire contract: requests, answers and problems, in JSON with names in snake_case. */
@NullMarked
package dev.weir.api;

import org.jspecify.annotations.NullMarked;
