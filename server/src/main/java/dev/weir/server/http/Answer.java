package dev.weir.server.http;

import java.util.Map;

/**
 * What a request is answered with.
 *
 * @param body a record that is written as JSON, or a {@link Text}
 */
public record Answer(int status, Object body, Map<String, String> headers) {
    private static final int OK = 200;
    private static final int CREATED = 201;

    /** A body that is no JSON record. */
    public record Text(String mediaType, String content) {}

    public static Answer ok(Object body) {
        return new Answer(OK, body, Map.of());
    }

    public static Answer created(Object body, String location) {
        return new Answer(CREATED, body, Map.of("Location", location));
    }

    public static Answer text(String mediaType, String content) {
        return ok(new Text(mediaType, content));
    }
}
