package dev.weir.engine.call;

import java.time.Duration;

/**
 * What may be chosen about calls.
 *
 * @param reach where they may go
 * @param places how many may be under way at once on this node
 * @param connectMax how long a connection may take
 * @param bodyBytesMax how large the body of an answer may be
 */
public record CallSettings(Reach reach, int places, Duration connectMax, int bodyBytesMax) {
    public static final int PLACES_MAX = 10_000;
    /** What fits a step's output together with status and headers. */
    public static final int BODY_BYTES_MAX = 192 * 1024;

    public static final CallSettings DEFAULT =
            new CallSettings(Reach.PUBLIC, 256, Duration.ofSeconds(10), BODY_BYTES_MAX);

    public CallSettings {
        if (places < 1 || places > PLACES_MAX) {
            throw new IllegalArgumentException("places: expected 1 to " + PLACES_MAX + ", found " + places);
        }
        if (bodyBytesMax < 1 || bodyBytesMax > BODY_BYTES_MAX) {
            throw new IllegalArgumentException(
                    "bodyBytesMax: expected 1 to " + BODY_BYTES_MAX + ", found " + bodyBytesMax);
        }
    }

    public CallSettings withReach(Reach other) {
        return new CallSettings(other, places, connectMax, bodyBytesMax);
    }

    public CallSettings withPlaces(int other) {
        return new CallSettings(reach, other, connectMax, bodyBytesMax);
    }
}
