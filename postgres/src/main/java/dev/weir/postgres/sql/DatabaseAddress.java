package dev.weir.postgres.sql;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * The address of a PostgreSQL database and the account to connect with.
 *
 * @param url its JDBC URL
 * @param user the account that owns the schema and is a member of Weir's roles
 */
public record DatabaseAddress(String url, String user, String password) {
    /** The schema that contains all of Weir's tables. */
    public static final String SCHEMA = "weir";

    public static final String ENGINE_ROLE = "weir_engine";
    public static final String REQUEST_ROLE = "weir_request";
    public static final String STARTER_ROLE = "weir_starter";

    private static final int CONNECT_TIMEOUT_SECONDS = 5;

    /** Returns a source of connections that give up on a server that does not answer. */
    public PGSimpleDataSource dataSource(String application, Duration socketTimeout) {
        var source = new Source();
        source.setUrl(url);
        source.setUser(user);
        source.setPassword(password);
        source.setApplicationName(application);
        source.setConnectTimeout(CONNECT_TIMEOUT_SECONDS);
        source.setSocketTimeout((int) socketTimeout.toSeconds());
        source.setTcpKeepAlive(true);
        source.setCurrentSchema(SCHEMA);
        source.setReWriteBatchedInserts(false);
        return source;
    }

    /** A data source that ignores login timeouts. A pool would otherwise limit connecting to its own wait time. */
    private static final class Source extends PGSimpleDataSource {
        private static final long serialVersionUID = 1;

        @Override
        public void setLoginTimeout(int seconds) {
            // The connect timeout is set above.
        }
    }

    public Connection connect(String application, Duration socketTimeout) throws SQLException {
        return dataSource(application, socketTimeout).getConnection();
    }

    /** Returns the URL without its parameters, because they may contain a password. */
    @Override
    public String toString() {
        int parameters = url.indexOf('?');
        return (parameters < 0 ? url : url.substring(0, parameters)) + " as " + user;
    }
}
