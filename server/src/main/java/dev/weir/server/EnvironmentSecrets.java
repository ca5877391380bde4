package dev.weir.server;

import dev.weir.engine.secret.SecretSource;
import java.util.Optional;

/**
 * Reads secrets from the environment of the node: {@code secrets.BILLING} is WEIR_SECRET_BILLING. They belong to
 * the operator of the node, so only the organisation {@code default} can use them.
 */
final class EnvironmentSecrets implements SecretSource {
    private static final String PREFIX = "WEIR_SECRET_";

    @Override
    public Optional<String> find(String org, String name) {
        return org.equals(ServerNode.DEFAULT_ORGANISATION)
                ? Optional.ofNullable(System.getenv(PREFIX + name))
                : Optional.empty();
    }
}
