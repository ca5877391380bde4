package dev.weir.postgres.embedded;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;

/** A process that owns a directory. It commits one row after another and prints each committed row. */
final class OwnerMain {
    static final String OPENED = "opened ";
    static final String COMMITTED = "committed ";
    static final String REFUSED = "refused ";

    private OwnerMain() {}

    /** Takes the directory as its argument. Ends when its input ends. */
    public static void main(String[] args) throws IOException, SQLException {
        try (var postgres = EmbeddedPostgres.open(Path.of(args[0]), EmbeddedSettings.DEFAULT);
                var connection = postgres.dataSource().getConnection()) {
            System.out.println(OPENED + postgres.pid());
            commit(connection);
        } catch (OpenFailed e) {
            System.out.println(REFUSED + String.valueOf(e.getMessage()).replace('\n', ' '));
        }
    }

    private static void commit(Connection connection) throws SQLException, IOException {
        try (var statement = connection.createStatement()) {
            statement.execute("create table if not exists kept (n bigint generated always as identity)");
        }
        try (var insert = connection.prepareStatement("insert into kept default values returning n")) {
            while (System.in.available() == 0) {
                try (var row = insert.executeQuery()) {
                    row.next();
                    System.out.println(COMMITTED + row.getLong(1));
                }
            }
        }
    }
}
