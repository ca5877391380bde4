package dev.weir.worker;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The pauses between the attempts of one activity: they double after each failure, with a random part. */
final class Backoff {
    private static final long MIN_MILLIS = 100;
    private static final long MAX_MILLIS = 5_000;
    /** The longest pause that a server can ask for. */
    private static final long RETRY_AFTER_MAX_MILLIS = 60_000;

    private long nextMillis = MIN_MILLIS;

    void reset() {
        nextMillis = MIN_MILLIS;
    }

    /** @param retryAfter the shortest pause that the server asked for, if it did */
    void pause(@Nullable Duration retryAfter) throws InterruptedException {
        long millis = nextMillis / 2 + ThreadLocalRandom.current().nextLong(nextMillis / 2 + 1);
        nextMillis = Math.min(MAX_MILLIS, nextMillis * 2);
        long asked = retryAfter == null ? 0 : Math.min(RETRY_AFTER_MAX_MILLIS, retryAfter.toMillis());
        TimeUnit.MILLISECONDS.sleep(Math.max(asked, millis));
    }
}
