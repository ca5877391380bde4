package dev.weir.postgres;

import dev.weir.postgres.sql.Access;
import dev.weir.postgres.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.database.postgresql.PostgreSQLConfigurationExtension;

/** The tables and roles of Weir in a database. */
final class Schema {
    private static final Sql SQL = Sql.of(Schema.class);
    private static final Duration ANSWER_MAX = Duration.ofMinutes(10);
    private static final String APPLICATION = "weir schema";

    private final Access access;

    Schema(Access access) {
        this.access = access;
    }

    /** Brings the database up to what this version of Weir needs. Many nodes may do so at once. */
    void migrate() throws SQLException {
        Flyway flyway = flyway();
        refuseNewer(flyway.info().all());
        try (var connection = connect();
                var statement = connection.createStatement()) {
            statement.execute(SQL.get("make_roles"));
        }
        flyway.migrate();
    }

    /** What was migrated by a newer Weir has rows that this one knows nothing of, and would overlook. */
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
                    + found + ": a newer Weir has migrated them; start that one, or restore a backup from before");
        }
    }

    /** Nothing that is unknown is passed over, also if another node has migrated since it was looked at. */
    private Flyway flyway() {
        var configuration = Flyway.configure()
                .dataSource(access.dataSource(APPLICATION, ANSWER_MAX))
                .schemas(Access.SCHEMA)
                .defaultSchema(Access.SCHEMA)
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
