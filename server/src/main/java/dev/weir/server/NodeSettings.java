package dev.weir.server;

import dev.weir.engine.call.CallSettings;
import dev.weir.engine.call.Reach;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a node is told when it is opened.
 *
 * @param data the folder for what the node keeps on this machine
 * @param database a PostgreSQL that is there already; absent = an embedded one in the folder
 * @param host the address to listen on
 * @param port the port to listen on; 0 takes one that is free
 * @param outgoing what it may send where
 */
public record NodeSettings(Path data, @Nullable Database database, String host, int port, Outgoing outgoing) {
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
        return new NodeSettings(data, null, HOST_USUAL, PORT_USUAL, Outgoing.USUAL);
    }

    public NodeSettings withPort(int other) {
        return new NodeSettings(data, database, host, other, outgoing);
    }

    /**
     * Calls that steps make.
     *
     * @param allowed hosts, {@code host:port} pairs and networks that may be called besides the public internet
     * @param places how many calls may be under way at once
     * @param secrets a file with what stands for {@code secrets.*}, besides the environment
     */
    public record Outgoing(
            List<String> allowed, int places, @Nullable Path secrets) {
        public static final Outgoing USUAL = new Outgoing(List.of(), CallSettings.DEFAULT.places(), null);

        public Outgoing {
            allowed = List.copyOf(allowed);
            Object unused = calls(allowed, places);
        }

        CallSettings calls() {
            return calls(allowed, places);
        }

        private static CallSettings calls(List<String> allowed, int places) {
            return CallSettings.DEFAULT.withReach(new Reach(allowed)).withPlaces(places);
        }
    }

    /** A PostgreSQL that is there already. */
    public record Database(String url, String user, String password) {
        private static final String EXPECTED = "expected a JDBC URL such as jdbc:postgresql://host:5432/weir, found ";
        private static final Pattern USER_BEFORE_HOST = Pattern.compile("//[^/?]*@");
        private static final Pattern PASSWORD = Pattern.compile("(?i)(password=)[^&]*");

        public Database {
            if (USER_BEFORE_HOST.matcher(url).find()) {
                throw new IllegalArgumentException(EXPECTED + "one with a user before the host: give user and password"
                        + " as PGUSER and PGPASSWORD, or as ?user=…&password=… at its end");
            }
            if (!url.startsWith("jdbc:postgresql:")) {
                throw new IllegalArgumentException(EXPECTED + shown(url));
            }
        }

        private static String shown(String url) {
            return PASSWORD.matcher(url).replaceAll("$1…");
        }

        /** Without the password: it is shown and logged. */
        @Override
        public String toString() {
            return shown(url) + " as " + user;
        }
    }
}
