package dev.weir.postgres.journal;

import dev.weir.core.life.UnitId;
import dev.weir.postgres.json.Json;
import dev.weir.postgres.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** What the sheets of an organisation list, what is over included; they are few, and read as a whole. */
final class SheetClaims {
    private static final Sql SQL = Sql.of(SheetClaims.class);

    /**
     * A claim.
     *
     * @param claim as it is written also with runs
     */
    record Listed(long sheet, JsonNode claim) {
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

    private final List<Long> sheets = new ArrayList<>();
    private final Map<UnitKey, Listed> claims = new HashMap<>();

    static SheetClaims read(Connection connection, int org) throws SQLException {
        var read = new SheetClaims();
        try (var statement = connection.prepareStatement(SQL.get("sheets"))) {
            statement.setInt(1, org);
            try (var found = statement.executeQuery()) {
                while (found.next()) {
                    read.add(found.getLong("number"), Json.read(found.getString("claims")));
                }
            }
        }
        return read;
    }

    private void add(long sheet, JsonNode entries) {
        sheets.add(sheet);
        for (JsonNode entry : entries) {
            JsonNode claim = entry.get(1);
            var unit =
                    new UnitKey(entry.get(0).longValue(), (short) claim.get(0).intValue(), UnitId.NO_ITEM);
            claims.put(unit, new Listed(sheet, claim));
        }
    }

    /** Leaves out those of these claims that are over since there are rows of their steps. */
    void dropOver(Connection connection, int org, List<UnitKey> units) throws SQLException {
        List<UnitKey> listed = units.stream().filter(claims::containsKey).toList();
        if (listed.isEmpty()) {
            return;
        }
        try (var statement = connection.prepareStatement(SQL.get("with_rows"))) {
            Object[] runs = listed.stream().map(UnitKey::run).toArray();
            Object[] steps = listed.stream().map(UnitKey::step).toArray();
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

    List<Long> sheets() {
        return sheets;
    }

    @Nullable
    Listed find(UnitKey unit) {
        return claims.get(unit);
    }
}
