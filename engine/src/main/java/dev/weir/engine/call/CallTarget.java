package dev.weir.engine.call;

import java.net.IDN;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import org.apache.hc.core5.http.HttpHost;

/**
 * The target of a call, parsed from its URL. Error messages contain only the host of the URL, because the rest may
 * contain secrets.
 *
 * @param host a name, or an address without brackets
 */
record CallTarget(URI uri, String host, int port) {
    private static final int URL_CHARS_MAX = 8 * 1024;
    private static final int HTTP_PORT = 80;
    private static final int HTTPS_PORT = 443;

    /**
     * Parses a URL.
     *
     * @throws CallRefused if Weir does not call such a URL
     */
    static CallTarget of(String url) {
        if (url.length() > URL_CHARS_MAX) {
            throw new CallRefused("expected a URL of at most " + URL_CHARS_MAX + " characters, found " + url.length());
        }
        URI uri = parse(url);
        String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
        if (!scheme.equals("http") && !scheme.equals("https")) {
            throw new CallRefused("expected a URL with the scheme http or https, found another scheme");
        }
        if (uri.getRawUserInfo() != null) {
            throw new CallRefused(
                    "expected a URL without a user before the host, found one; send credentials in a header instead");
        }
        String host = host(uri);
        int port = uri.getPort() >= 0 ? uri.getPort() : scheme.equals("http") ? HTTP_PORT : HTTPS_PORT;
        if (port < 1 || port > 65_535) {
            throw new CallRefused("expected a port from 1 to 65535, found " + port);
        }
        return new CallTarget(uri, host, port);
    }

    /** The server to connect to. */
    HttpHost server() {
        return new HttpHost(uri.getScheme(), host, port);
    }

    private static URI parse(String url) {
        try {
            return new URI(ascii(url)).parseServerAuthority();
        } catch (URISyntaxException e) {
            throw new CallRefused("expected a URL such as https://host/path, found an invalid one: " + e.getReason());
        }
    }

    /** Converts names in other scripts to ASCII. A character that only looks like another one is refused later. */
    private static String ascii(String url) {
        int begin = url.indexOf("://");
        if (begin < 0 || url.chars().allMatch(c -> c < 0x80)) {
            return url;
        }
        int end = begin + 3;
        while (end < url.length() && "/?#".indexOf(url.charAt(end)) < 0) {
            end++;
        }
        try {
            return url.substring(0, begin + 3)
                    + IDN.toASCII(url.substring(begin + 3, end), IDN.USE_STD3_ASCII_RULES)
                    + url.substring(end);
        } catch (IllegalArgumentException e) {
            throw new CallRefused("expected a host name that can be converted to ASCII, found another one");
        }
    }

    private static String host(URI uri) {
        String host = uri.getHost();
        if (host == null) {
            throw new CallRefused("expected a URL with a host, found none");
        }
        boolean bracketed = host.startsWith("[") && host.endsWith("]");
        String bare = bracketed ? host.substring(1, host.length() - 1) : host;
        boolean readable = bracketed ? UrlHost.isIpv6(bare) : UrlHost.isIpv4(bare) || UrlHost.isName(bare);
        if (!readable) {
            throw new CallRefused(
                    "expected a host that is a name, four decimal numbers or a bracketed IPv6 address, found " + bare);
        }
        return bare;
    }
}
