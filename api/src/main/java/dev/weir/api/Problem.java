package dev.weir.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The reason for which a request was not carried out, as RFC 9457 defines it.
 *
 * @param type the kind of problem: a relative URI that names it; nothing is served there
 * @param title the kind in words
 * @param detail the description of this case, and advice
 * @param errors each error in the request, if there are any
 */
public record Problem(
        String type,
        String title,
        int status,
        String detail,
        @Nullable List<Finding> errors) {
    public static final String MEDIA_TYPE = "application/problem+json";

    /**
     * One error in a request.
     *
     * @param pointer the position in the body, as a JSON pointer, or the name of a parameter
     * @param line the line in the text, from 1
     * @param column the column in the line, from 1
     */
    public record Finding(
            String message,
            @Nullable String expected,
            @Nullable String found,
            @Nullable String pointer,
            @Nullable Integer line,
            @Nullable Integer column) {
        public static Finding at(String pointer, String message) {
            return new Finding(message, null, null, pointer, null, null);
        }

        public static Finding expected(String pointer, String expected, String found) {
            return new Finding("expected " + expected + ", found " + found, expected, found, pointer, null, null);
        }
    }

    /** The kinds of problems. */
    public enum Kind {
        INVALID_REQUEST(400, "The request is invalid"),
        UNAUTHENTICATED(401, "The request needs a valid API token"),
        FORBIDDEN(403, "The API token has too few rights"),
        OTHER_PAGE(403, "The request comes from another page"),
        NOT_FOUND(404, "Not found"),
        METHOD_NOT_ALLOWED(405, "The path does not support this method"),
        CONFLICT(409, "The current state does not allow this"),
        PRECONDITION_FAILED(412, "The version is another one than expected"),
        TOO_LARGE(413, "The request is too large"),
        UNSUPPORTED_MEDIA_TYPE(415, "The media type of the body is not supported"),
        REFUSED(422, "The request was refused"),
        TOO_MANY_REQUESTS(429, "Too many requests at once"),
        OVERLOADED(429, "The node is overloaded"),
        QUEUE_FULL(429, "Too many runs wait already"),
        INTERNAL(500, "Internal error: this is a bug in Weir"),
        UNAVAILABLE(503, "Temporarily unavailable");

        private final int status;
        private final String title;

        Kind(int status, String title) {
            this.status = status;
            this.title = title;
        }

        public int status() {
            return status;
        }

        public Problem of(String detail, List<Finding> errors) {
            String type = "/problems/" + name().toLowerCase(java.util.Locale.ROOT);
            return new Problem(type, title, status, detail, errors.isEmpty() ? null : List.copyOf(errors));
        }

        public Problem of(String detail) {
            return of(detail, List.of());
        }
    }
}
