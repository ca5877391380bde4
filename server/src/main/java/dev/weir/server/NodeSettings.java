package dev.weir.server;

import dev.weir.engine.call.CallSettings;
import dev.weir.engine.call.EgressPolicy;
import dev.weir.postgres.Retention;
import dev.weir.server.http.HttpServer.Address;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a node.
 *
 * @param data the folder for the node's files on this machine
 * @param database an existing PostgreSQL server; absent = an embedded one in the folder
 * @param address the address to listen on
 * @param outgoing the rules for calls that steps make
 * @param keepHistory the time for which runs are kept after they have ended; absent = for ever
 */
public record NodeSettings(
        Path data,
        @Nullable Database database,
        Address address,
        Outgoing outgoing,
        @Nullable Duration keepHistory) {
    /** The default address to listen on: reachable from this machine only. */
    public static final String HOST_USUAL = "127.0.0.1";

    public static final int PORT_USUAL = 7077;

    public NodeSettings {
        Object unused = new Retention(keepHistory);
    }

    public static NodeSettings in(Path data) {
        return new NodeSettings(data, null, new Address(HOST_USUAL, PORT_USUAL, List.of()), Outgoing.USUAL, null);
    }

    public NodeSettings withPort(int other) {
        var moved = new Address(address.host(), other, address.names());
        return new NodeSettings(data, database, moved, outgoing, keepHistory);
    }

    public NodeSettings withKeepHistory(Duration other) {
        return new NodeSettings(data, database, address, outgoing, other);
    }

    Retention retention() {
        return new Retention(keepHistory);
    }

    /**
     * The settings for calls that steps make.
     *
     * @param allowed the hosts, {@code host:port} pairs and networks that may be called besides the public internet
     * @param places the most calls under way at once
     * @param secrets a file with the values of {@code secrets.*}, used besides the environment
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
            return CallSettings.DEFAULT.withReach(new EgressPolicy(allowed)).withPlaces(places);
        }
    }

    /** An existing PostgreSQL server. */
    public record Database(String url, String user, String password) {
        private static final String EXPECTED = "expected a JDBC URL such as jdbc:postgresql://host:5432/weir, found ";
        private static final Pattern USER_BEFORE_HOST = Pattern.compile("//[^/?]*@");
        private static final Pattern PASSWORD = Pattern.compile("(?i)(password=)[^&]*");

        public Database {
            if (USER_BEFORE_HOST.matcher(url).find()) {
                throw new IllegalArgumentException(EXPECTED + "one with a user before the host; set PGUSER and"
                        + " PGPASSWORD instead, or append ?user=…&password=… to the URL");
            }
            if (!url.startsWith("jdbc:postgresql:")) {
                throw new IllegalArgumentException(EXPECTED + shown(url));
            }
        }

        private static String shown(String url) {
            return PASSWORD.matcher(url).replaceAll("$1…");
        }

        /** Leaves out the password, because this text is shown and logged. */
        @Override
        public String toString() {
            return shown(url) + " as " + user;
        }
    }
}
