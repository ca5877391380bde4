/** Prints forecasts: a page with a timeline for people, JSON for programs, and tables that compare variants. */
@NullMarked
package dev.weir.forecast.text;

import org.jspecify.annotations.NullMarked;
