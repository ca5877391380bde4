package dev.weir.client;

import dev.weir.api.Problem;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The failure of a request: the server refused it, or no server answered. */
public abstract sealed class RequestFailed extends RuntimeException {
    private static final long serialVersionUID = 1;

    private RequestFailed(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /** The server has refused the request. Repeating it cannot help. */
    public static final class Refused extends RequestFailed {
        private static final long serialVersionUID = 1;
        private final transient Problem problem;

        public Refused(Problem problem) {
            super(problem.detail(), null);
            this.problem = problem;
        }

        public Problem problem() {
            return problem;
        }
    }

    /** No server answers, or none can carry out the request now. The client has already retried it. */
    public static final class Unreachable extends RequestFailed {
        private static final long serialVersionUID = 1;

        private final transient @Nullable Duration retryAfter;

        public Unreachable(String message, @Nullable Throwable cause) {
            this(message, null, cause);
        }

        /** @param retryAfter the time for which the server wants no requests; absent if it did not say */
        Unreachable(String message, @Nullable Duration retryAfter, @Nullable Throwable cause) {
            super(message, cause);
            this.retryAfter = retryAfter;
        }

        /** Returns the time for which the server wants no requests; null if it did not say. */
        public @Nullable Duration retryAfter() {
            return retryAfter;
        }
    }
}
