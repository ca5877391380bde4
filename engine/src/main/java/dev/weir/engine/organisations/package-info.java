/** Organisations and their API tokens: the port that a store implements. */
@NullMarked
package dev.weir.engine.organisations;

import org.jspecify.annotations.NullMarked;
