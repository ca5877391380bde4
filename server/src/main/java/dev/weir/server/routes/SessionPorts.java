package dev.weir.server.routes;

import dev.weir.engine.organisations.SessionStore;
import java.util.function.Consumer;

/**
 * The ports that the routes of sessions use.
 *
 * @param forget forgets the cached caller of a session that has ended
 */
public record SessionPorts(SessionStore store, Consumer<String> forget) {}
