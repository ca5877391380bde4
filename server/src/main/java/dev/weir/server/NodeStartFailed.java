package dev.weir.server;

import java.io.IOException;

/** The failure to open a node. Its message gives the reason and advice. */
public final class NodeStartFailed extends IOException {
    private static final long serialVersionUID = 1;

    NodeStartFailed(String message) {
        super(message);
    }

    NodeStartFailed(String message, Throwable cause) {
        super(message, cause);
    }
}
