/** The demonstration of {@code weir up --demo}: three workflows, their workers, and traffic. */
@NullMarked
package dev.weir.cli.demo;

import org.jspecify.annotations.NullMarked;
