package dev.weir.core.command;

import dev.weir.core.state.SecretRow;
import java.util.Optional;

/** Changes the secrets of an organisation. */
public interface SecretControl {
    Optional<SecretRow> findSecret(String name);

    int secretCount();

    /**
     * Stores a secret.
     *
     * @param sealed the encrypted value
     */
    void store(SecretRow secret, String sealed, long now);

    void delete(String name, long now);
}
