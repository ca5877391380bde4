package dev.weir.postgres.sql;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Where a PostgreSQL is, and as whom it is spoken to.
 *
 * @param url its JDBC URL
 * @param user owns the schema, and is a member of Weir's roles
 */
public record Access(String url, String user, String password) {
    /** The schema that all of Weir lies in. */
    public static final String SCHEMA = "weir";

    public static final String ENGINE_ROLE = "weir_engine";
    public static final String REQUEST_ROLE = "weir_request";
    public static final String STARTER_ROLE = "weir_starter";

    private static final int CONNECT_MAX_SECONDS = 5;

    /** Connections that give up on a server which does not answer. */
    public PGSimpleDataSource dataSource(String application, Duration answerMax) {
        var source = new Source();
        source.setUrl(url);
        source.setUser(user);
        source.setPassword(password);
        source.setApplicationName(application);
        source.setConnectTimeout(CONNECT_MAX_SECONDS);
        source.setSocketTimeout((int) answerMax.toSeconds());
        source.setTcpKeepAlive(true);
        source.setCurrentSchema(SCHEMA);
        source.setReWriteBatchedInserts(false);
        return source;
    }

    /** A pool would have a connection made within the time that it lets others wait for one. */
    private static final class Source extends PGSimpleDataSource {
        private static final long serialVersionUID = 1;

        @Override
        public void setLoginTimeout(int seconds) {
            // How long connecting may take is said above.
        }
    }

    public Connection connect(String application, Duration answerMax) throws SQLException {
        return dataSource(application, answerMax).getConnection();
    }

    /** Without what follows the name of the database in the URL: a password may be among it. */
    @Override
    public String toString() {
        int parameters = url.indexOf('?');
        return (parameters < 0 ? url : url.substring(0, parameters)) + " as " + user;
    }
}
