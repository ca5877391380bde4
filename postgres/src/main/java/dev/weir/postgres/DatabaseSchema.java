package dev.weir.postgres;

import dev.weir.postgres.sql.DatabaseAddress;
import dev.weir.postgres.sql.SqlStatements;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Objects;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.MigrationState;
import org.flywaydb.database.postgresql.PostgreSQLConfigurationExtension;

/** Creates and migrates Weir's tables and roles in a database. */
final class DatabaseSchema {
    private static final SqlStatements SQL = SqlStatements.of(DatabaseSchema.class);
    private static final Duration SOCKET_TIMEOUT = Duration.ofMinutes(10);
    private static final String APPLICATION = "weir schema";
    private static final String START_EMPTY_ADVICE =
            "; keep them for the program that made them, and start this Weir with an"
                    + " empty database, or with a new data folder (weir up --data DIR)";

    private final DatabaseAddress address;

    DatabaseSchema(DatabaseAddress address) {
        this.address = address;
    }

    /** Migrates the database to the version that this Weir needs. Several nodes may do so at once. */
    void migrate() throws SQLException {
        Flyway flyway = flyway();
        MigrationInfo[] all = flyway.info().all();
        refuseOtherMigrations(all);
        refuseNewer(all);
        try (var connection = connect();
                var statement = connection.createStatement()) {
            refuseOtherTables(statement);
            statement.execute(SQL.get("make_roles"));
        }
        flyway.migrate();
    }

    /** Refuses a database that was migrated differently: by an unreleased Weir, or by another program. */
    private void refuseOtherMigrations(MigrationInfo[] all) throws SQLException {
        for (MigrationInfo each : all) {
            MigrationState state = each.getState();
            boolean known = each.getVersion() != null && state.isResolved() && state.isApplied();
            if (known && !Objects.equals(each.getAppliedChecksum(), each.getResolvedChecksum())) {
                throw new SQLException("expected tables of a released Weir in " + address + ", found tables whose"
                        + " migration " + each.getVersion() + " (\"" + each.getDescription() + "\") is not that of"
                        + " this Weir: an unreleased Weir or another program has made them, and they cannot be"
                        + " migrated" + START_EMPTY_ADVICE);
            }
        }
    }

    /** Refuses a schema that already has tables but no record of migrations. */
    private void refuseOtherTables(Statement statement) throws SQLException {
        try (var found = statement.executeQuery(SQL.get("other_tables"))) {
            if (found.next() && found.getString("names") != null) {
                throw new SQLException("expected no tables, or those of Weir, in the schema " + DatabaseAddress.SCHEMA
                        + " of " + address + ", found " + found.getString("names")
                        + ": another program has made them" + START_EMPTY_ADVICE);
            }
        }
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
            throw new SQLException(
                    "expected tables of version " + known + " or older in " + address + ", found version " + found
                            + ": a newer Weir has migrated them; start that version, or restore an older backup");
        }
    }

    /** Configures Flyway to fail on any unknown migration, even if another node has migrated since the check. */
    private Flyway flyway() {
        var configuration = Flyway.configure()
                .dataSource(address.dataSource(APPLICATION, SOCKET_TIMEOUT))
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
        return address.connect(APPLICATION, SOCKET_TIMEOUT);
    }
}
