package dev.weir.server.http;

import dev.weir.api.Problem;
import dev.weir.api.WireJson;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Reads the bytes of a body, with a bound on their number and on the time. Jetty's own timeout ends a body that
 * stops arriving.
 */
final class BoundedBodyStream {
    /** The time within which a body must arrive, even if it arrives steadily. */
    static final Duration READ_TIMEOUT = Duration.ofSeconds(30);

    private static final int BUFFER_BYTES = 16 * 1024;

    private BoundedBodyStream() {}

    /** @param nanos the monotonic clock */
    static byte[] readAll(InputStream body, LongSupplier nanos) {
        var bytes = new ByteArrayOutputStream();
        long startedAt = nanos.getAsLong();
        try {
            byte[] buffer = new byte[BUFFER_BYTES];
            for (int read = body.read(buffer); read >= 0; read = body.read(buffer)) {
                bytes.write(buffer, 0, read);
                check(bytes.size(), nanos.getAsLong() - startedAt);
            }
        } catch (IOException e) {
            throw RefusedRequest.of(
                    Problem.Kind.INVALID_REQUEST, "the connection ended before the end of the body: " + e.getMessage());
        }
        return bytes.toByteArray();
    }

    private static void check(int bytes, long elapsed) {
        if (bytes > WireJson.BODY_BYTES_MAX) {
            throw RefusedRequest.of(
                    Problem.Kind.TOO_LARGE, "expected a body of at most " + WireJson.BODY_BYTES_MAX + " bytes");
        }
        if (elapsed > READ_TIMEOUT.toNanos()) {
            throw RefusedRequest.of(
                    Problem.Kind.INVALID_REQUEST,
                    "expected the whole body within " + READ_TIMEOUT.toSeconds() + " s, received " + bytes + " bytes");
        }
    }
}
