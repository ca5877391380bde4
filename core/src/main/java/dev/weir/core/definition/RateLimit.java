package dev.weir.core.definition;

import dev.weir.core.json.Fingerprint;
import java.time.Duration;

/**
 * A limit on the starts in a window.
 *
 * @param count the sum of the costs of the starts that a window admits
 * @param period the length of the window
 * @param window the placement of windows in time
 */
public record RateLimit(int count, Duration period, Window window) {
    public static final Duration DEFAULT_PERIOD = Duration.ofSeconds(1);

    public RateLimit {
        FieldChecks.checkRange("rate", count, 1, DefinitionBounds.COUNT_MAX);
        FieldChecks.checkRange("period", period, DefinitionBounds.PERIOD_MIN, DefinitionBounds.PERIOD_MAX);
    }

    /** Adds this limit to a fingerprint. */
    long addToFingerprint(long fingerprint) {
        long result = Fingerprint.with(Fingerprint.with(fingerprint, count), period.toMillis());
        int windowCode = switch (window) {
            case SLIDING -> 's';
            case FIXED -> 'f';
        };
        return Fingerprint.with(result, windowCode);
    }

    /** The placement of windows in time. */
    public enum Window {
        /** Every window of that length counts, so the limit is exact. */
        SLIDING,
        /** The first start opens a window, which counts starts until it ends. */
        FIXED
    }
}
