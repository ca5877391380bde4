package dev.weir.server.http;

import java.util.Map;

/**
 * The response to a request.
 *
 * @param body a record that is written as JSON, or a {@link Text}
 */
public record Response(int status, Object body, Map<String, String> headers) {
    private static final int OK = 200;
    private static final int CREATED = 201;

    /** A body that is not a JSON record. */
    public record Text(String mediaType, String content) {}

    public static Response ok(Object body) {
        return new Response(OK, body, Map.of());
    }

    public static Response created(Object body, String location) {
        return new Response(CREATED, body, Map.of("Location", location));
    }

    public static Response text(String mediaType, String content) {
        return ok(new Text(mediaType, content));
    }
}
