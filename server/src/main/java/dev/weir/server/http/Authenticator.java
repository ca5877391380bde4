package dev.weir.server.http;

import dev.weir.engine.organisations.Caller;
import java.util.Optional;

/** Finds out who sent a request. */
@FunctionalInterface
public interface Authenticator {
    /** Returns the holder of an API token, or empty for an unknown, revoked or expired token. */
    Optional<Caller> caller(String token);
}
