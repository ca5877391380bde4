package dev.weir.postgres.embedded;

import java.io.IOException;

/** Thrown if the embedded PostgreSQL could not be opened. The message says what was found, where, and what to do. */
public final class OpenFailed extends IOException {
    private static final long serialVersionUID = 1;

    OpenFailed(String message) {
        super(message);
    }

    OpenFailed(String message, Throwable cause) {
        super(message, cause);
    }
}
