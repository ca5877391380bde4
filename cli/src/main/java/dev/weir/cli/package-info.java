/** The {@code weir} command: one class per subcommand, most of them over the HTTP client. */
@NullMarked
package dev.weir.cli;

import org.jspecify.annotations.NullMarked;
