package dev.weir.core.command;

import dev.weir.core.state.TokenRow;
import java.util.Optional;

/** Changes the API tokens of an organisation. */
public interface TokenControl {
    /** Finds the valid or expired token of that name; a revoked one is not found. */
    Optional<TokenRow> findToken(String name);

    int tokenCount();

    void create(TokenRow token, long now);

    void revoke(String name, long now);

    /** Replaces the token of that name. The replaced one works until the given time. */
    void rotate(TokenRow token, long until, long now);
}
