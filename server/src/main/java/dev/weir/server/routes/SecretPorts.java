package dev.weir.server.routes;

import dev.weir.engine.organisations.SecretStore;
import dev.weir.engine.secret.SecretCipher;
import java.util.function.BiConsumer;

/**
 * What the routes of secrets need.
 *
 * @param refresh makes the next use of a secret, by organisation and name, read it again
 */
public record SecretPorts(SecretStore store, SecretCipher cipher, BiConsumer<String, String> refresh) {}
