package dev.weir.core.command;

import dev.weir.core.state.Rights;
import dev.weir.core.state.TokenRow;

/**
 * Creates an API token. Nobody can create a token with more rights than their own.
 *
 * @param token the new token; its time of creation is set when the command is decided
 * @param creator the rights of the caller
 */
public record CreateToken(TokenRow token, Rights creator) implements TokenCommand<CreateToken.Answer> {
    /** The most tokens of an organisation that are not revoked. */
    public static final int TOKENS_MAX = 1_000;

    public CreateToken {
        String name = token.name();
        if (name.isBlank() || name.length() > TokenRow.NAME_CHARS_MAX) {
            throw new IllegalArgumentException(
                    "a token's name has 1 to " + TokenRow.NAME_CHARS_MAX + " characters, found " + name.length());
        }
    }

    /** The answer to the caller. */
    public enum Answer {
        CREATED,
        /** A token of that name exists and is not revoked. */
        NAME_TAKEN,
        /** The token would have more rights than the caller. */
        TOO_MANY_RIGHTS,
        /** The organisation has the maximum number of tokens. */
        TOO_MANY_TOKENS,
        /** The expiry is not in the future. */
        ALREADY_EXPIRED
    }

    @Override
    public String name() {
        return token.name();
    }

    @Override
    public Answer decide(TokenControl tokens, long now) {
        if (!creator.cover(token.rights())) {
            return Answer.TOO_MANY_RIGHTS;
        }
        if (token.expiresAt() <= now) {
            return Answer.ALREADY_EXPIRED;
        }
        if (tokens.findToken(token.name()).isPresent()) {
            return Answer.NAME_TAKEN;
        }
        if (tokens.tokenCount() >= TOKENS_MAX) {
            return Answer.TOO_MANY_TOKENS;
        }
        tokens.create(
                new TokenRow(token.name(), token.hash(), token.rights(), now, token.expiresAt(), token.source()), now);
        return Answer.CREATED;
    }
}
