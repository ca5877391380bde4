package dev.weir.postgres.journal;

import dev.weir.core.state.UnitId;
import dev.weir.postgres.json.StoredJson;
import dev.weir.postgres.sql.SqlStatements;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * All claims in the pages of an organisation, including claims that are over. The pages are few, so they are read as a
 * whole.
 */
final class PagedClaims {
    private static final SqlStatements SQL = SqlStatements.of(PagedClaims.class);

    /**
     * A claim in a page.
     *
     * @param claim the claim, in the same form as inside a run's row
     */
    record PagedClaim(long page, JsonNode claim) {
        long fence() {
            return claim.get(1).longValue();
        }

        int attempts() {
            return claim.get(2).intValue();
        }

        long until() {
            return claim.get(7).longValue();
        }
    }

    private final List<Long> pages = new ArrayList<>();
    private final Map<UnitKey, PagedClaim> claims = new HashMap<>();

    static PagedClaims read(Connection connection, int org) throws SQLException {
        var pagedClaims = new PagedClaims();
        try (var statement = connection.prepareStatement(SQL.get("pages"))) {
            statement.setInt(1, org);
            try (var found = statement.executeQuery()) {
                while (found.next()) {
                    pagedClaims.add(found.getLong("number"), StoredJson.read(found.getString("claims")));
                }
            }
        }
        return pagedClaims;
    }

    private void add(long page, JsonNode entries) {
        pages.add(page);
        for (JsonNode entry : entries) {
            JsonNode claim = entry.get(1);
            var unit =
                    new UnitKey(entry.get(0).longValue(), (short) claim.get(0).intValue(), UnitId.NO_ITEM);
            claims.put(unit, new PagedClaim(page, claim));
        }
    }

    /** Removes those of these claims that are over because their steps have rows. */
    void removeEnded(Connection connection, int org, List<UnitKey> units) throws SQLException {
        List<UnitKey> paged = units.stream().filter(claims::containsKey).toList();
        if (paged.isEmpty()) {
            return;
        }
        try (var statement = connection.prepareStatement(SQL.get("with_rows"))) {
            Object[] runs = paged.stream().map(UnitKey::run).toArray();
            Object[] steps = paged.stream().map(UnitKey::step).toArray();
            statement.setArray(1, connection.createArrayOf("bigint", runs));
            statement.setArray(2, connection.createArrayOf("smallint", steps));
            statement.setInt(3, org);
            try (var found = statement.executeQuery()) {
                while (found.next()) {
                    claims.remove(new UnitKey(found.getLong("run"), found.getShort("step"), UnitId.NO_ITEM));
                }
            }
        }
    }

    List<Long> pages() {
        return pages;
    }

    @Nullable
    PagedClaim find(UnitKey unit) {
        return claims.get(unit);
    }
}
