package dev.weir.client;

import dev.weir.api.Problem;

/** Why a request did not get what it asked for. */
public abstract sealed class RequestFailed extends RuntimeException {
    private static final long serialVersionUID = 1;

    private RequestFailed(String message, @org.jspecify.annotations.Nullable Throwable cause) {
        super(message, cause);
    }

    /** The server has refused it; asking again would be in vain. */
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

    /** No server answers, or none that can do it now. It was asked several times. */
    public static final class Unreachable extends RequestFailed {
        private static final long serialVersionUID = 1;

        public Unreachable(String message, @org.jspecify.annotations.Nullable Throwable cause) {
            super(message, cause);
        }
    }
}
