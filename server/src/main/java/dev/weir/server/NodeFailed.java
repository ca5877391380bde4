package dev.weir.server;

import java.io.IOException;

/** A node could not be opened; the message says why, and what to do. */
public final class NodeFailed extends IOException {
    private static final long serialVersionUID = 1;

    NodeFailed(String message) {
        super(message);
    }

    NodeFailed(String message, Throwable cause) {
        super(message, cause);
    }
}
