/** Organisations and the tokens that speak for them: the port that a store implements. */
@NullMarked
package dev.weir.engine.tenants;

import org.jspecify.annotations.NullMarked;
