package dev.weir.core.command;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** A command about one secret. The audit shows its version, never its value. */
public sealed interface SecretCommand<A> extends Command<A>, AuditedCommand permits DeleteSecret, SetSecret {
    A decide(SecretControl secrets, long now);

    /** The name of the secret. */
    String name();

    @Override
    default A decide(OrganisationControls org, long now) {
        return decide(org.secrets(), now);
    }

    @Override
    default @Nullable JsonNode data() {
        return null;
    }

    @Override
    default String describeTarget() {
        return "secret " + name();
    }

    @Override
    default String auditTarget() {
        return "secret:" + name();
    }

    @Override
    default @Nullable JsonNode auditState(OrganisationControls org, long now) {
        return org.secrets()
                .findSecret(name())
                .map(found -> JsonNodeFactory.instance
                        .objectNode()
                        .put("version", found.version())
                        .put("key", found.keyId()))
                .orElse(null);
    }
}
