package dev.weir.postgres.journal;

import dev.weir.core.state.TokenRow;
import dev.weir.postgres.access.TokenRows;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The changes of an organisation's API tokens in one transaction. Existing tokens are ended before new ones are
 * inserted, so a token that is created and ended in the same transaction is inserted with its end.
 */
final class TokenChanges {
    private final List<NewToken> created = new ArrayList<>();
    /** The times at which existing tokens end, by name. */
    private final Map<String, Long> retired = new TreeMap<>();

    private static final class NewToken {
        private final TokenRow row;
        private @Nullable Long endsAt;

        NewToken(TokenRow row) {
            this.row = row;
        }
    }

    void create(TokenRow token) {
        created.add(new NewToken(token));
    }

    /** Ends the tokens of a name at a time, which may be in the future. */
    void retire(String name, long at) {
        retired.merge(name, at, Math::min);
        for (NewToken token : created) {
            if (token.row.name().equals(name)) {
                token.endsAt = token.endsAt == null ? at : Math.min(token.endsAt, at);
            }
        }
    }

    void addTo(RowWrites writes, int org) {
        retired.forEach((name, at) -> writes.add("retire_tokens", org, name, at));
        created.forEach(token -> writes.add("insert_tokens", TokenRows.columns(org, token.row, token.endsAt)));
    }
}
