package dev.weir.core.run;

import dev.weir.core.command.TokenControl;
import dev.weir.core.state.Move;
import dev.weir.core.state.TokenRow;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** The API tokens of an organisation that are not revoked, by name. */
final class TokenRegistry implements TokenControl {
    private final MoveCollector moves;
    private final SortedMap<String, TokenRow> tokens = new TreeMap<>();

    TokenRegistry(MoveCollector moves) {
        this.moves = moves;
    }

    void restore(Map<String, TokenRow> rows) {
        tokens.putAll(rows);
    }

    SortedMap<String, TokenRow> all() {
        return tokens;
    }

    @Override
    public Optional<TokenRow> findToken(String name) {
        return Optional.ofNullable(tokens.get(name));
    }

    @Override
    public int tokenCount() {
        return tokens.size();
    }

    @Override
    public void create(TokenRow token, long now) {
        tokens.put(token.name(), token);
        moves.add(new Move.TokenCreated(token, now));
    }

    @Override
    public void revoke(String name, long now) {
        tokens.remove(name);
        moves.add(new Move.TokenRevoked(name, now));
    }

    @Override
    public void rotate(TokenRow token, long until, long now) {
        tokens.put(token.name(), token);
        moves.add(new Move.TokenRotated(token, until, now));
    }
}
