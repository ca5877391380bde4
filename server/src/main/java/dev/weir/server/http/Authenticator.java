package dev.weir.server.http;

import java.util.Optional;

/** Finds the organisation that sent a request. */
@FunctionalInterface
public interface Authenticator {
    /** Returns the organisation to which an API token belongs, or empty for an unknown token. */
    Optional<String> organisation(String token);
}
