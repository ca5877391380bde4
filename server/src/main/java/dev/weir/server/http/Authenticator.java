package dev.weir.server.http;

import dev.weir.engine.organisations.Caller;
import java.util.Optional;

/** Finds out who sent a request. */
@FunctionalInterface
public interface Authenticator {
    /** Returns the holder of an API token or of a session, or empty if it is unknown or has ended. */
    Optional<Caller> caller(Credential credential);
}
