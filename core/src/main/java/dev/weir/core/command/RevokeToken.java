package dev.weir.core.command;

import dev.weir.core.state.Rights;
import dev.weir.core.state.TokenRow;

/**
 * Revokes an API token. Nobody can revoke a token with more rights than their own.
 *
 * @param caller the rights of the caller
 */
public record RevokeToken(String name, Rights caller) implements TokenCommand<RevokeToken.Answer> {
    /** The answer to the caller. */
    public enum Answer {
        REVOKED,
        /** The token has more rights than the caller. */
        TOO_MANY_RIGHTS,
        /** No token has this name, or it was revoked before. */
        NOT_FOUND
    }

    @Override
    public Answer decide(TokenControl tokens, long now) {
        TokenRow found = tokens.findToken(name).orElse(null);
        if (found == null) {
            return Answer.NOT_FOUND;
        }
        if (!caller.cover(found.rights())) {
            return Answer.TOO_MANY_RIGHTS;
        }
        tokens.revoke(name, now);
        return Answer.REVOKED;
    }
}
