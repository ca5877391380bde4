package dev.weir.postgres;

import dev.weir.postgres.sql.Access;
import dev.weir.postgres.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.flywaydb.core.Flyway;
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
        try (var connection = connect();
                var statement = connection.createStatement()) {
            statement.execute(SQL.get("make_roles"));
        }
        var configuration = Flyway.configure()
                .dataSource(access.dataSource(APPLICATION, ANSWER_MAX))
                .schemas(Access.SCHEMA)
                .defaultSchema(Access.SCHEMA)
                .locations("classpath:dev/weir/postgres/migrations")
                .loggers("slf4j");
        configuration
                .getPluginRegister()
                .getExact(PostgreSQLConfigurationExtension.class)
                .setTransactionalLock(false);
        configuration.load().migrate();
    }

    private Connection connect() throws SQLException {
        return access.connect(APPLICATION, ANSWER_MAX);
    }
}
