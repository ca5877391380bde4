/** The commands: requests that change an organisation, each with its rule, over the interfaces that they need. */
@NullMarked
package dev.weir.core.command;

import org.jspecify.annotations.NullMarked;
