package dev.weir.server.routes;

import dev.weir.server.http.RefusedRequest;
import dev.weir.server.http.Request;
import dev.weir.server.http.Response;
import dev.weir.server.http.Routing;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The files of the console, which a browser shows at the root path. They are static and public; the browser reads the
 * data from the API with the user's session.
 */
final class ConsolePages {
    /**
     * A page may load the console's own scripts and styles, and talk to this node. Nothing inline runs, so that a name
     * which contains HTML stays text even if a script has a bug.
     */
    static final String CONTENT_SECURITY_POLICY = "default-src 'none'; script-src 'self'; style-src 'self';"
            + " connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none';"
            + " require-trusted-types-for 'script'; trusted-types 'none'";

    private static final String FOLDER = "dev/weir/console/";
    private static final String INDEX = "index.html";

    /** The paths of the console: every other part of its state is in the query. */
    private static final Pattern PAGE = Pattern.compile("[a-z]+(-[a-z]+)*");

    private static final Pattern ASSET = Pattern.compile("[A-Za-z0-9_-]+\\.(js|css)");

    /** The name of a file that contains the hash of its content, as esbuild writes it. Such a file never changes. */
    private static final Pattern HASHED = Pattern.compile(".*-[A-Z0-9]{8}\\.(js|css)");

    private static final String ALWAYS_ASK = "no-cache";
    private static final String NEVER_ASK = "public, max-age=31536000, immutable";
    private static final Map<String, String> MEDIA_TYPES = Map.of(
            "html", "text/html; charset=utf-8",
            "js", "text/javascript; charset=utf-8",
            "css", "text/css; charset=utf-8");
    private static final int NOT_MODIFIED = 304;
    private static final int ETAG_BYTES = 8;

    private final Map<String, ConsoleFile> cache = new ConcurrentHashMap<>();

    /** A file of the bundle. */
    private record ConsoleFile(String content, String mediaType, Map<String, String> headers) {
        static ConsoleFile of(String name, String content) {
            String etag = etag(content);
            Map<String, String> headers = Map.of(
                    "Cache-Control",
                    HASHED.matcher(name).matches() ? NEVER_ASK : ALWAYS_ASK,
                    "ETag",
                    etag,
                    "Content-Security-Policy",
                    CONTENT_SECURITY_POLICY,
                    "Referrer-Policy",
                    "no-referrer");
            String extension = name.substring(name.lastIndexOf('.') + 1);
            return new ConsoleFile(content, String.valueOf(MEDIA_TYPES.get(extension)), headers);
        }

        boolean isKnownTo(Request request) {
            return request.header("If-None-Match")
                    .filter(String.valueOf(headers.get("ETag"))::equals)
                    .isPresent();
        }
    }

    /** Registers the paths. They must come after every path of the API, because a page may have any name. */
    void add(Routing routing) {
        routing.page("/", request -> respond(request, INDEX));
        routing.page("/assets/{file}", request -> {
            String file = request.path("file");
            return ASSET.matcher(file).matches() ? respond(request, "assets/" + file) : notFound(file);
        });
        routing.page("/{page}", request -> {
            String page = request.path("page");
            return PAGE.matcher(page).matches() ? respond(request, INDEX) : notFound(page);
        });
    }

    private static Response notFound(String name) {
        throw RefusedRequest.notFound("page", name);
    }

    private Response respond(Request request, String name) {
        ConsoleFile file = find(name).orElseThrow(() -> RefusedRequest.notFound("file of the console", name));
        boolean isKnown = file.isKnownTo(request);
        return new Response(
                isKnown ? NOT_MODIFIED : 200,
                new Response.Text(file.mediaType, isKnown ? "" : file.content),
                file.headers);
    }

    private Optional<ConsoleFile> find(String name) {
        ConsoleFile cached = cache.get(name);
        if (cached != null) {
            return Optional.of(cached);
        }
        Optional<ConsoleFile> found = Optional.ofNullable(read(name)).map(content -> ConsoleFile.of(name, content));
        found.ifPresent(file -> cache.put(name, file));
        return found;
    }

    private static @Nullable String read(String name) {
        try (InputStream in = ConsolePages.class.getClassLoader().getResourceAsStream(FOLDER + name)) {
            return in == null ? null : new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + name + " of the console", e);
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
