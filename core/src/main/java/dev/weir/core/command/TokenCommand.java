package dev.weir.core.command;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A command about one API token. */
public sealed interface TokenCommand<A> extends Command<A>, AuditedCommand
        permits CreateToken, RevokeToken, RotateToken {
    /** The number of characters of a token's hash by which the audit tells tokens of one name apart. */
    int FINGERPRINT_CHARS = 12;

    A decide(TokenControl tokens, long now);

    /** The name of the token. */
    String name();

    @Override
    default A decide(OrganisationControls org, long now) {
        return decide(org.tokens(), now);
    }

    @Override
    default @Nullable JsonNode data() {
        return null;
    }

    @Override
    default String describeTarget() {
        return "token " + name();
    }

    @Override
    default String auditTarget() {
        return "token:" + name();
    }

    @Override
    default @Nullable JsonNode auditState(OrganisationControls org, long now) {
        return org.tokens().findToken(name()).map(AuditValues::token).orElse(null);
    }
}
