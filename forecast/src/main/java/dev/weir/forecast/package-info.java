/**
 * Forecasts: runs a definition in virtual time with the production rules, to see how long it takes and where steps
 * wait.
 */
@NullMarked
package dev.weir.forecast;

import org.jspecify.annotations.NullMarked;
