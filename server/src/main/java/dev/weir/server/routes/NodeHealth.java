package dev.weir.server.routes;

import dev.weir.api.Health;

/** Reports the present health of the node. */
@FunctionalInterface
public interface NodeHealth {
    Health check();
}
