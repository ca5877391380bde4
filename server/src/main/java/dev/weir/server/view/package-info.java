/** What the engine says, in the words of the wire. */
@NullMarked
package dev.weir.server.view;

import org.jspecify.annotations.NullMarked;
