package dev.weir.engine.organisations;

import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The port to the sealed secrets of organisations. Commands change them; this reads them. Safe for many threads. */
public interface SecretStore {
    /**
     * A secret as it is stored, or the organisation that has none of the name.
     *
     * @param organisation the number of the organisation, which never changes
     * @param keyId identifies the key with which it is sealed; absent if there is no such secret
     * @param sealed the encrypted value; absent if there is no such secret
     */
    record SealedSecret(
            int organisation,
            @Nullable String keyId,
            @Nullable String sealed) {}

    /** Finds a secret; absent if there is no such organisation. */
    Optional<SealedSecret> find(String org, String name);

    /** The keys with which secrets are sealed. */
    Set<String> keyIds();
}
