/** Logs of attempts, stored apart from the decisions about them. */
@NullMarked
package dev.weir.engine.log;

import org.jspecify.annotations.NullMarked;
