package dev.weir.server;

import dev.weir.engine.call.Secrets;
import java.util.Optional;

/**
 * Secrets from the environment of the node: {@code secrets.BILLING} is WEIR_SECRET_BILLING. They belong to whoever runs
 * the node, so only the organisation that every installation begins with can name them.
 */
final class EnvironmentSecrets implements Secrets {
    private static final String PREFIX = "WEIR_SECRET_";

    @Override
    public Optional<String> find(String org, String name) {
        return org.equals(Node.ORGANISATION) ? Optional.ofNullable(System.getenv(PREFIX + name)) : Optional.empty();
    }
}
