package dev.weir.server.http;

import dev.weir.api.Json;
import dev.weir.api.Problem;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.function.LongSupplier;

/** The bytes of a body as they come in: so many at the most, and within so long. One that stands still ends by itself. */
final class Arrival {
    /** How long a body may take, however steadily it drips. */
    static final Duration TIME_MAX = Duration.ofSeconds(30);

    private static final int PART_BYTES = 16 * 1024;

    private Arrival() {}

    /** @param nanos the monotonic clock */
    static byte[] await(InputStream body, LongSupplier nanos) {
        var bytes = new ByteArrayOutputStream();
        long begun = nanos.getAsLong();
        try {
            byte[] part = new byte[PART_BYTES];
            for (int read = body.read(part); read >= 0; read = body.read(part)) {
                bytes.write(part, 0, read);
                check(bytes.size(), nanos.getAsLong() - begun);
            }
        } catch (IOException e) {
            throw Refused.of(Problem.Kind.INVALID_REQUEST, "the body broke off: " + e.getMessage());
        }
        return bytes.toByteArray();
    }

    private static void check(int bytes, long taken) {
        if (bytes > Json.BODY_BYTES_MAX) {
            throw Refused.of(Problem.Kind.TOO_LARGE, "expected a body of at most " + Json.BODY_BYTES_MAX + " bytes");
        }
        if (taken > TIME_MAX.toNanos()) {
            throw Refused.of(
                    Problem.Kind.INVALID_REQUEST,
                    "expected the whole body within " + TIME_MAX.toSeconds() + " s, found " + bytes + " bytes of it");
        }
    }
}
