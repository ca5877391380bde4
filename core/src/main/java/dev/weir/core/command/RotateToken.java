package dev.weir.core.command;

import dev.weir.core.limit.Moment;
import dev.weir.core.state.Rights;
import dev.weir.core.state.TokenRow;

/**
 * Replaces an API token by another one with the same name, rights and expiry. Nobody can rotate a token with more
 * rights than their own, because they learn the new one.
 *
 * @param hash the hash of the new token
 * @param overlap the time for which the replaced token still works, in microseconds
 * @param caller the rights of the caller
 * @param source the request
 */
public record RotateToken(String name, String hash, long overlap, Rights caller, TokenRow.Source source)
        implements TokenCommand<RotateToken.Answer> {
    /** The answer to the caller. */
    public sealed interface Answer {
        record Rotated(TokenRow token) implements Answer {}

        /** The token has more rights than the caller. */
        record TooManyRights(Rights rights) implements Answer {}

        /** The token has expired, and a new one would have expired too. */
        record Expired() implements Answer {}

        /** The same request created the present token, which cannot be shown again. */
        record Repeated() implements Answer {}

        record NotFound() implements Answer {}
    }

    @Override
    public Answer decide(TokenControl tokens, long now) {
        TokenRow found = tokens.findToken(name).orElse(null);
        if (found == null) {
            return new Answer.NotFound();
        }
        if (!caller.cover(found.rights())) {
            return new Answer.TooManyRights(found.rights());
        }
        if (found.expiresAt() <= now) {
            return new Answer.Expired();
        }
        if (!source.requestId().isEmpty() && found.source().requestId().equals(source.requestId())) {
            return new Answer.Repeated();
        }
        var token = new TokenRow(name, hash, found.rights(), now, found.expiresAt(), source);
        tokens.rotate(token, Moment.plus(now, overlap), now);
        return new Answer.Rotated(token);
    }
}
