package dev.weir.cli.browser;

import org.jspecify.annotations.Nullable;

/** Closes what a test class has opened, as far as it was opened. */
final class Closing {
    private Closing() {}

    static void all(@Nullable AutoCloseable... opened) {
        for (AutoCloseable one : opened) {
            try {
                if (one != null) {
                    one.close();
                }
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
