package dev.weir.server.routes;

import dev.weir.api.Health;

/** How the node is, asked by those who look after it. */
@FunctionalInterface
public interface Condition {
    Health now();
}
