/** A definition run in virtual time on the rules of production: how long it takes, and what its steps wait for. */
@NullMarked
package dev.weir.core.forecast;

import org.jspecify.annotations.NullMarked;
