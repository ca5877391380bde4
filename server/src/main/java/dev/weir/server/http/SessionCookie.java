package dev.weir.server.http;

import dev.weir.api.Problem;
import io.javalin.http.Context;
import java.net.URI;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The cookie with the session of the console, and the check that a request with it comes from the console. A browser
 * sends the cookie with every request to the node, also with those of pages at other ports of the same host.
 */
final class SessionCookie {
    private static final String NAME = "weir_session";
    private static final String ATTRIBUTES = "; Path=/; HttpOnly; SameSite=Strict";
    private static final String HTTPS = "https";
    private static final int HTTP_PORT = 80;
    private static final int HTTPS_PORT = 443;

    private final @Nullable URI baseUrl;
    private final boolean secure;

    /** @param baseUrl the address that browsers use, if it is another one than that of the server */
    SessionCookie(boolean tls, @Nullable URI baseUrl) {
        this.baseUrl = baseUrl;
        this.secure = baseUrl == null ? tls : HTTPS.equals(baseUrl.getScheme());
    }

    Optional<String> read(Context context) {
        return Optional.ofNullable(context.cookie(name(context))).filter(secret -> !secret.isBlank());
    }

    void set(Context context, String secret, Duration age) {
        context.header("Set-Cookie", text(context, secret, age.toSeconds()));
    }

    void clear(Context context) {
        context.header("Set-Cookie", text(context, "", 0));
    }

    private String text(Context context, String value, long seconds) {
        return name(context) + "=" + value + "; Max-Age=" + seconds + ATTRIBUTES + (secure ? "; Secure" : "");
    }

    /** Contains the port, because browsers send all cookies of a host to all of its ports, and each node has its own. */
    private String name(Context context) {
        int port = baseUrl == null ? context.req().getLocalPort() : baseUrl.getPort();
        String ofPort = port < 0 || port == HTTP_PORT || port == HTTPS_PORT ? "" : "_" + port;
        return (secure ? "__Host-" : "") + NAME + ofPort;
    }

    /**
     * Refuses a request of another page than the node's own.
     *
     * @param mustTell true if the request must also say where it comes from, as browsers do when it changes something
     */
    void requireOwnPage(Context context, boolean mustTell) {
        String site = context.header("Sec-Fetch-Site");
        if (site != null && !site.equals("same-origin") && !site.equals("none")) {
            throw refusal("Sec-Fetch-Site: " + site);
        }
        String origin = context.header("Origin");
        if (origin != null && !isOwn(context, origin)) {
            throw refusal("Origin: " + origin);
        }
        if (mustTell && origin == null && site == null) {
            throw refusal("neither Origin nor Sec-Fetch-Site");
        }
    }

    private boolean isOwn(Context context, String origin) {
        String lower = origin.toLowerCase(Locale.ROOT);
        return lower.equals(address(context)) || (baseUrl != null && lower.equals(origin(baseUrl)));
    }

    /** Returns the address of the server as the client of this request has called it, without a path. */
    private static String address(Context context) {
        String host = context.header("Host");
        return (context.req().getScheme() + "://" + host).toLowerCase(Locale.ROOT);
    }

    /** Returns the address of the console for the client of this request, without a path. */
    String publicAddress(Context context) {
        return baseUrl == null ? address(context) : origin(baseUrl);
    }

    private static String origin(URI url) {
        int port = url.getPort();
        boolean isUsual = port < 0 || port == (HTTPS.equals(url.getScheme()) ? HTTPS_PORT : HTTP_PORT);
        return (url.getScheme() + "://" + url.getHost() + (isUsual ? "" : ":" + port)).toLowerCase(Locale.ROOT);
    }

    private static RefusedRequest refusal(String found) {
        return RefusedRequest.of(
                Problem.Kind.OTHER_PAGE,
                "expected a request of the node's own console, found one of another page (" + found
                        + "); if this is the console behind a proxy, start the node with --base-url URL, the address"
                        + " in the browser");
    }
}
