package dev.weir.engine.secret;

import java.util.Optional;

/**
 * Provides the values of secrets, which steps name but never store. It is asked when a call is sent or a claim is
 * handed out.
 */
@FunctionalInterface
public interface SecretSource {
    /** The value of a secret of an organisation, if there is one. */
    Optional<String> find(String org, String name);

    /** Returns a source without secrets. */
    static SecretSource none() {
        return (org, name) -> Optional.empty();
    }
}
