package dev.weir.engine.call;

import java.util.Optional;

/** Values that steps name but never hold. They are asked for when a call is sent or a claim is handed out. */
@FunctionalInterface
public interface Secrets {
    /** The value of a secret of an organisation, if there is one. */
    Optional<String> find(String org, String name);

    /** Knows none. */
    static Secrets none() {
        return (org, name) -> Optional.empty();
    }
}
