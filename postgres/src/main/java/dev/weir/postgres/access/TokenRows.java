package dev.weir.postgres.access;

import dev.weir.core.limit.Moment;
import dev.weir.core.state.Rights;
import dev.weir.core.state.Role;
import dev.weir.core.state.TokenRow;
import dev.weir.core.state.TokenScope;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Converts API tokens to rows and back. */
public final class TokenRows {
    private static final String SEPARATOR = ",";

    private TokenRows() {}

    /**
     * Returns the columns of a row, in the order of the statement that inserts it.
     *
     * @param revokedAt the time when it stops to work although it has not expired; absent if nobody revoked it
     */
    public static @Nullable Object[] columns(int org, TokenRow token, @Nullable Long revokedAt) {
        return new @Nullable Object[] {
            org,
            token.name(),
            token.hash(),
            token.rights().role().word(),
            scopes(token.rights()),
            token.rights().administrator(),
            token.createdAt(),
            token.expiresAt() == Moment.NEVER ? null : token.expiresAt(),
            token.source().by(),
            token.source().requestId(),
            revokedAt
        };
    }

    public static String scopes(Rights rights) {
        return rights.scopes().stream().map(TokenScope::word).collect(Collectors.joining(SEPARATOR));
    }

    public static TokenRow read(ResultSet row) throws SQLException {
        // null is read as 0, which is no time at which a token could expire
        long expiresAt = row.getLong("expires_at");
        return new TokenRow(
                row.getString("name"),
                row.getString("hash"),
                rights(row),
                row.getLong("created_at"),
                expiresAt == 0 ? Moment.NEVER : expiresAt,
                new TokenRow.Source(row.getString("created_by"), row.getString("request_id")));
    }

    /** Reads the rights of a token. A scope that this version does not know gives no right. */
    public static Rights rights(ResultSet row) throws SQLException {
        Set<TokenScope> scopes = EnumSet.noneOf(TokenScope.class);
        Arrays.stream(row.getString("scopes").split(SEPARATOR, -1))
                .forEach(word -> TokenScope.find(word).ifPresent(scopes::add));
        Role role = Role.find(row.getString("role")).orElseThrow();
        return new Rights(role, scopes, row.getBoolean("administrator"));
    }
}
