package dev.weir.server;

import dev.weir.core.state.NoticeSettings;
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
 * @param notices the thresholds at which operators are notified
 */
public record NodeSettings(
        Path data,
        @Nullable Database database,
        Address address,
        Outgoing outgoing,
        @Nullable Duration keepHistory,
        NoticeSettings notices) {
    /** The default address to listen on: reachable from this machine only. */
    public static final String DEFAULT_HOST = "127.0.0.1";

    public static final int DEFAULT_PORT = 7077;

    public NodeSettings {
        Object unused = new Retention(keepHistory);
    }

    /** Creates settings with the usual thresholds of notices. */
    public NodeSettings(
            Path data,
            @Nullable Database database,
            Address address,
            Outgoing outgoing,
            @Nullable Duration keepHistory) {
        this(data, database, address, outgoing, keepHistory, NoticeSettings.DEFAULT);
    }

    public static NodeSettings in(Path data) {
        return new NodeSettings(data, null, new Address(DEFAULT_HOST, DEFAULT_PORT, List.of()), Outgoing.DEFAULT, null);
    }

    public NodeSettings withPort(int other) {
        var newAddress = new Address(address.host(), other, address.names(), address.tls(), address.baseUrl());
        return new NodeSettings(data, database, newAddress, outgoing, keepHistory, notices);
    }

    public NodeSettings withKeepHistory(Duration other) {
        return new NodeSettings(data, database, address, outgoing, other, notices);
    }

    Retention retention() {
        return new Retention(keepHistory);
    }

    /**
     * The settings for calls that steps make.
     *
     * @param allowed the hosts, {@code host:port} pairs and networks that may be called besides the public internet
     * @param maxCalls the most calls under way at once
     * @param secrets a file with the values of {@code secrets.*}, used besides the environment
     * @param secretsKey a file with the keys with which stored secrets are sealed
     */
    public record Outgoing(
            List<String> allowed,
            int maxCalls,
            @Nullable Path secrets,
            @Nullable Path secretsKey) {
        public static final Outgoing DEFAULT =
                new Outgoing(List.of(), CallSettings.DEFAULT.maxConcurrentCalls(), null, null);

        public Outgoing {
            allowed = List.copyOf(allowed);
            Object unused = calls(allowed, maxCalls);
        }

        CallSettings calls() {
            return calls(allowed, maxCalls);
        }

        private static CallSettings calls(List<String> allowed, int maxCalls) {
            return CallSettings.DEFAULT
                    .withEgressPolicy(new EgressPolicy(allowed))
                    .withMaxConcurrentCalls(maxCalls);
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
                throw new IllegalArgumentException(EXPECTED + redact(url));
            }
        }

        private static String redact(String url) {
            return PASSWORD.matcher(url).replaceAll("$1…");
        }

        /** Leaves out the password, because this text is shown and logged. */
        @Override
        public String toString() {
            return redact(url) + " as " + user;
        }
    }
}
