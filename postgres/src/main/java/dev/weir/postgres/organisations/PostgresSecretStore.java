package dev.weir.postgres.organisations;

import dev.weir.engine.organisations.SecretStore;
import dev.weir.postgres.sql.ConnectionPool;
import dev.weir.postgres.sql.SqlStatements;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Sealed secrets in PostgreSQL. */
public final class PostgresSecretStore implements SecretStore {
    private static final SqlStatements SQL = SqlStatements.of(PostgresSecretStore.class);

    private final ConnectionPool pool;

    public PostgresSecretStore(ConnectionPool pool) {
        this.pool = pool;
    }

    @Override
    public Optional<SealedSecret> find(String org, String name) {
        return pool.runAsEngine("reading a secret of " + org, connection -> {
            try (var statement = connection.prepareStatement(SQL.get("find"))) {
                statement.setString(1, name);
                statement.setString(2, org);
                try (var found = statement.executeQuery()) {
                    return found.next()
                            ? Optional.of(new SealedSecret(
                                    found.getInt("number"), found.getString("key_id"), found.getString("sealed")))
                            : Optional.empty();
                }
            }
        });
    }

    @Override
    public Set<String> keyIds() {
        return pool.runAsEngine("reading which keys seal secrets", connection -> {
            Set<String> ids = new TreeSet<>();
            try (var statement = connection.prepareStatement(SQL.get("key_ids"));
                    var found = statement.executeQuery()) {
                while (found.next()) {
                    ids.add(found.getString("key_id"));
                }
            }
            return ids;
        });
    }
}
