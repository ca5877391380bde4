package dev.weir.engine;

import dev.weir.core.state.NoticeSettings;
import dev.weir.engine.call.CallSettings;
import dev.weir.engine.secret.SecretSource;

/**
 * The settings of a node.
 *
 * @param node its name, which must be unique among the nodes on the same store
 * @param secrets source of the secrets that inputs of steps name, for workers in this process and for calls
 * @param notices thresholds at which operators are notified
 * @param calls settings of HTTP calls: their number at once, and the addresses that they may reach
 */
public record EngineSettings(String node, SecretSource secrets, CallSettings calls, NoticeSettings notices) {
    public EngineSettings {
        if (node.isBlank()) {
            throw new IllegalArgumentException("a node needs a name, found none");
        }
    }

    public EngineSettings(String node, SecretSource secrets, CallSettings calls) {
        this(node, secrets, calls, NoticeSettings.DEFAULT);
    }

    public EngineSettings(String node) {
        this(node, SecretSource.none());
    }

    public EngineSettings(String node, SecretSource secrets) {
        this(node, secrets, CallSettings.DEFAULT);
    }
}
