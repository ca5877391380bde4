package dev.weir.server;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What a node is told when it is opened.
 *
 * @param data the folder for what the node keeps on this machine
 * @param database a PostgreSQL that is there already; absent = an embedded one in the folder
 * @param host the address to listen on
 * @param port the port to listen on; 0 takes one that is free
 */
public record NodeSettings(Path data, @Nullable Database database, String host, int port) {
    /** Where a node listens if nobody says otherwise: this machine only. */
    public static final String HOST_USUAL = "127.0.0.1";

    public static final int PORT_USUAL = 7077;

    private static final int PORT_MAX = 65_535;

    public NodeSettings {
        if (port < 0 || port > PORT_MAX) {
            throw new IllegalArgumentException("expected a port from 0 to " + PORT_MAX + ", found " + port);
        }
    }

    public static NodeSettings in(Path data) {
        return new NodeSettings(data, null, HOST_USUAL, PORT_USUAL);
    }

    public NodeSettings withPort(int other) {
        return new NodeSettings(data, database, host, other);
    }

    /** A PostgreSQL that is there already. */
    public record Database(String url, String user, String password) {
        public Database {
            if (!url.startsWith("jdbc:postgresql:")) {
                throw new IllegalArgumentException(
                        "expected a JDBC URL such as jdbc:postgresql://host:5432/weir, found " + url);
            }
        }

        @Override
        public String toString() {
            return url + " as " + user;
        }
    }
}
