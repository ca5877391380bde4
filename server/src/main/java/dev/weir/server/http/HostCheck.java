package dev.weir.server.http;

import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Checks the {@code Host} of each request against the names by which clients may call this server. Only browsers on
 * this machine can reach a server on a loopback address. Any other name therefore means that a web page has pointed
 * its own name at the loopback address (DNS rebinding) in order to read the server's responses.
 */
final class HostCheck {
    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "::1");

    /** The allowed names. If empty, every name is allowed. */
    private final Set<String> allowed = new TreeSet<>();

    /**
     * Collects the names of an address.
     *
     * @param host the address to listen on
     * @param names further names; a server that does not listen on loopback checks the name only if there are some
     * @param baseUrl the address that browsers use, if it is another one; its name is allowed
     */
    HostCheck(String host, Collection<String> names, @Nullable URI baseUrl) {
        if (isLoopback(host) || !names.isEmpty()) {
            allowed.addAll(LOOPBACK);
            allowed.add(normalise(host));
            names.forEach(name -> allowed.add(normalise(name)));
            if (baseUrl != null) {
                allowed.add(normalise(baseUrl.getHost()));
            }
        }
    }

    private static boolean isLoopback(String host) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false; // nothing can listen there either
        }
    }

    /** Returns a name in lower case, without the brackets of an IPv6 address. */
    private static String normalise(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return lower.startsWith("[") && lower.endsWith("]") ? lower.substring(1, lower.length() - 1) : lower;
    }

    /** @param name the name in the request, without the port; absent in old requests, which no browser sends */
    void check(@Nullable String name) {
        if (name != null && !allowed.isEmpty() && !allowed.contains(normalise(name))) {
            throw RefusedRequest.invalid(
                    "Host",
                    "one of " + String.join(", ", List.copyOf(allowed))
                            + " (allow others with weir up --allow-host or --base-url)",
                    "'" + name + "'");
        }
    }
}
