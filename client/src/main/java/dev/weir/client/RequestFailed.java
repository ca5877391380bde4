package dev.weir.client;

import dev.weir.api.Problem;

/** The failure of a request: the server refused it, or no server answered. */
public abstract sealed class RequestFailed extends RuntimeException {
    private static final long serialVersionUID = 1;

    private RequestFailed(String message, @org.jspecify.annotations.Nullable Throwable cause) {
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

        public Unreachable(String message, @org.jspecify.annotations.Nullable Throwable cause) {
            super(message, cause);
        }
    }
}
