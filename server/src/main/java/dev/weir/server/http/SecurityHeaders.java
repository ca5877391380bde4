package dev.weir.server.http;

import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;

/** Headers of every response. They forbid browsers to guess its type or to show it in a frame of another page. */
final class SecurityHeaders {
    private static final HttpFields FIELDS = HttpFields.from(
            new HttpField("X-Content-Type-Options", "nosniff"),
            new HttpField("X-Frame-Options", "DENY"),
            new HttpField("Content-Security-Policy", "frame-ancestors 'none'"));

    private SecurityHeaders() {}

    static void put(HttpFields.Mutable headers) {
        for (HttpField field : FIELDS) {
            headers.put(field);
        }
    }
}
