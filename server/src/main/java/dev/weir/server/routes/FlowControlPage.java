package dev.weir.server.routes;

import dev.weir.server.http.Request;
import dev.weir.server.http.Response;
import dev.weir.server.http.Routing;
import dev.weir.server.http.Routing.Method;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.Objects;

/**
 * The page that a browser shows at the root path: the flow-control keys, live. It is static and public; the browser
 * reads the data from the API with the user's own token.
 */
final class FlowControlPage {
    /**
     * The page may load its own script and style, and talk to this node. Nothing inline runs, so that a name which
     * contains HTML stays text even if the script has a bug.
     */
    static final String CONTENT_SECURITY_POLICY = "default-src 'none'; script-src 'self'; style-src 'self';"
            + " connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none';"
            + " require-trusted-types-for 'script'; trusted-types 'none'";

    private static final int NOT_MODIFIED = 304;
    private static final int ETAG_BYTES = 8;

    private FlowControlPage() {}

    static void add(Routing routing) {
        addFile(routing, "/", "flow-control.html", "text/html; charset=utf-8");
        addFile(routing, "/flow-control.js", "flow-control.js", "text/javascript; charset=utf-8");
        addFile(routing, "/flow-control.css", "flow-control.css", "text/css; charset=utf-8");
    }

    private static void addFile(Routing routing, String path, String file, String mediaType) {
        String content = read(file);
        String etag = etag(content);
        Map<String, String> headers = Map.of(
                // A browser asks again each time, so that a new version of the node shows its own page.
                "Cache-Control",
                "no-cache",
                "ETag",
                etag,
                "Content-Security-Policy",
                CONTENT_SECURITY_POLICY,
                "Referrer-Policy",
                "no-referrer");
        var whole = new Response(200, new Response.Text(mediaType, content), headers);
        var unchanged = new Response(NOT_MODIFIED, new Response.Text(mediaType, ""), headers);
        routing.routePublic(Method.GET, path, request -> isUnchanged(request, etag) ? unchanged : whole);
    }

    private static boolean isUnchanged(Request request, String etag) {
        return request.header("If-None-Match").filter(etag::equals).isPresent();
    }

    private static String read(String file) {
        try (var in = FlowControlPage.class.getResourceAsStream("/dev/weir/server/page/" + file)) {
            return new String(Objects.requireNonNull(in, file).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file, e);
        }
    }

    private static String etag(String content) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(content.getBytes(StandardCharsets.UTF_8));
            return "\"" + HexFormat.of().formatHex(hash, 0, ETAG_BYTES) + "\"";
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
