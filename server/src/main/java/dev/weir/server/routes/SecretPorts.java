package dev.weir.server.routes;

import dev.weir.engine.organisations.SecretStore;
import dev.weir.engine.secret.SecretCipher;
import java.util.function.BiConsumer;

/**
 * The ports that the routes of secrets use.
 *
 * @param refresh makes the next use of a secret, by organisation and name, read it again
 */
public record SecretPorts(SecretStore store, SecretCipher cipher, BiConsumer<String, String> refresh) {}
