package dev.weir.server.http;

import dev.weir.api.Problem;
import dev.weir.api.WireJson;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Arrays;
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

    /**
     * Reads a body to its end.
     *
     * @param declared the length that the request declares, so that a short body needs a short buffer; negative = none
     * @param nanos the monotonic clock
     */
    static byte[] readAll(InputStream body, long declared, LongSupplier nanos) {
        // A long body gets memory as it arrives, because anyone can declare one.
        byte[] bytes = new byte[(int) (declared < 0 ? BUFFER_BYTES : Math.min(declared + 1, BUFFER_BYTES))];
        int filled = 0;
        long startedAt = nanos.getAsLong();
        try {
            for (int read = body.read(bytes); read >= 0; read = body.read(bytes, filled, bytes.length - filled)) {
                filled += read;
                check(filled, nanos.getAsLong() - startedAt);
                if (filled == bytes.length) {
                    bytes = Arrays.copyOf(bytes, 2 * filled);
                }
            }
        } catch (IOException e) {
            throw RefusedRequest.of(
                    Problem.Kind.INVALID_REQUEST, "the connection ended before the end of the body: " + e.getMessage());
        }
        return filled == bytes.length ? bytes : Arrays.copyOf(bytes, filled);
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
