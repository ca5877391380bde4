package dev.weir.worker;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The failure of a request to a {@link WorkSource}. */
public abstract sealed class SourceFailure extends RuntimeException {
    private static final long serialVersionUID = 1;

    private SourceFailure(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /** The outcome is unknown, or nothing was done. The same request can be sent again. */
    public static final class Unavailable extends SourceFailure {
        private static final long serialVersionUID = 1;
        private final transient @Nullable Duration retryAfter;

        /** @param retryAfter the time for which the source wants no requests; absent if it did not say */
        public Unavailable(String message, @Nullable Duration retryAfter, @Nullable Throwable cause) {
            super(message, cause);
            this.retryAfter = retryAfter;
        }

        public @Nullable Duration retryAfter() {
            return retryAfter;
        }
    }

    /** The request was refused. The same request would be refused again. */
    public static final class Refused extends SourceFailure {
        private static final long serialVersionUID = 1;
        private final boolean forbidden;

        /** @param forbidden true if the caller's credentials were refused, not the request */
        public Refused(String message, boolean forbidden, @Nullable Throwable cause) {
            super(message, cause);
            this.forbidden = forbidden;
        }

        public boolean isForbidden() {
            return forbidden;
        }
    }
}
