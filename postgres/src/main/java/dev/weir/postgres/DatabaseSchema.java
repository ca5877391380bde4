package dev.weir.postgres;

import dev.weir.postgres.sql.DatabaseAddress;
import dev.weir.postgres.sql.SqlStatements;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.database.postgresql.PostgreSQLConfigurationExtension;

/** Creates and migrates Weir's tables and roles in a database. */
final class DatabaseSchema {
    private static final SqlStatements SQL = SqlStatements.of(DatabaseSchema.class);
    private static final Duration ANSWER_MAX = Duration.ofMinutes(10);
    private static final String APPLICATION = "weir schema";

    private final DatabaseAddress access;

    DatabaseSchema(DatabaseAddress access) {
        this.access = access;
    }

    /** Migrates the database to the version that this Weir needs. Several nodes may do so at once. */
    void migrate() throws SQLException {
        Flyway flyway = flyway();
        refuseNewer(flyway.info().all());
        try (var connection = connect();
                var statement = connection.createStatement()) {
            statement.execute(SQL.get("make_roles"));
        }
        flyway.migrate();
    }

    /** Refuses a database that a newer Weir has migrated: it may contain rows that this version would overlook. */
    private void refuseNewer(MigrationInfo[] all) throws SQLException {
        String known = "";
        String found = "";
        for (MigrationInfo each : all) {
            String version = String.valueOf(each.getVersion());
            if (each.getState().isResolved()) {
                known = version;
            } else if (each.getState().isApplied()) {
                found = version;
            }
        }
        if (!found.isEmpty()) {
            throw new SQLException("expected tables of version " + known + " or older in " + access + ", found version "
                    + found + ": a newer Weir has migrated them; start that version, or restore an older backup");
        }
    }

    /** Configures Flyway to fail on any unknown migration, even if another node has migrated since the check. */
    private Flyway flyway() {
        var configuration = Flyway.configure()
                .dataSource(access.dataSource(APPLICATION, ANSWER_MAX))
                .schemas(DatabaseAddress.SCHEMA)
                .defaultSchema(DatabaseAddress.SCHEMA)
                .locations("classpath:dev/weir/postgres/migrations")
                .ignoreMigrationPatterns(new String[0])
                .loggers("slf4j");
        configuration
                .getPluginRegister()
                .getExact(PostgreSQLConfigurationExtension.class)
                .setTransactionalLock(false);
        return configuration.load();
    }

    private Connection connect() throws SQLException {
        return access.connect(APPLICATION, ANSWER_MAX);
    }
}
