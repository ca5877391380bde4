/** Tests of the console in a real Chromium, against a real node. */
@NullMarked
package dev.weir.cli.browser;

import org.jspecify.annotations.NullMarked;
