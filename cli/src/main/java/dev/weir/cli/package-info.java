/** The {@code weir} command: one class per subcommand, over the rules for now and over the client later. */
@NullMarked
package dev.weir.cli;

import org.jspecify.annotations.NullMarked;
