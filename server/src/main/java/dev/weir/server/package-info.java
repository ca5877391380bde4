/** A node of Weir: what runs when Weir is up. */
@NullMarked
package dev.weir.server;

import org.jspecify.annotations.NullMarked;
