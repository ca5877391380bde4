package dev.weir.server.http;

import dev.weir.api.Problem;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The refusal of a request, with the problem that explains it. */
public final class RefusedRequest extends RuntimeException {
    private static final long serialVersionUID = 1;
    private final transient Problem problem;
    private final transient @Nullable Duration retryAfter;

    private RefusedRequest(Problem problem, @Nullable Duration retryAfter) {
        super(problem.detail());
        this.problem = problem;
        this.retryAfter = retryAfter;
    }

    public static RefusedRequest of(Problem.Kind kind, String detail) {
        return new RefusedRequest(kind.of(detail), null);
    }

    public static RefusedRequest of(Problem.Kind kind, String detail, List<Problem.Finding> findings) {
        return new RefusedRequest(kind.of(detail, findings), null);
    }

    /** Returns the refusal for a failure. For a bug, it only names the id under which the log has the details. */
    public static RefusedRequest from(Throwable failure) {
        return ProblemMapper.of(failure);
    }

    public static RefusedRequest notFound(String what, String id) {
        return of(Problem.Kind.NOT_FOUND, what + " not found: " + id);
    }

    /** Returns the refusal of an invalid parameter or field. */
    public static RefusedRequest invalid(String field, String expected, String found) {
        var finding = Problem.Finding.expected(field, expected, found);
        return of(Problem.Kind.INVALID_REQUEST, field + ": " + finding.message(), List.of(finding));
    }

    public static RefusedRequest unavailable(String detail, Duration retryAfter) {
        return new RefusedRequest(Problem.Kind.UNAVAILABLE.of(detail + "; it is safe to retry"), retryAfter);
    }

    /** Returns the refusal of a request that asks for too much at once. Nothing was done. */
    static RefusedRequest tooMany(String detail, Duration retryAfter) {
        return new RefusedRequest(Problem.Kind.TOO_MANY_REQUESTS.of(detail), retryAfter);
    }

    /** Returns the refusal of a start because an administrator limits the number of waiting runs. Nothing was done. */
    public static RefusedRequest queueFull(String detail, Duration retryAfter) {
        return new RefusedRequest(Problem.Kind.QUEUE_FULL.of(detail), retryAfter);
    }

    /** Returns the refusal of a request that arrived while too many others wait. Nothing was done. */
    static RefusedRequest overloaded(String detail, Duration retryAfter) {
        return new RefusedRequest(Problem.Kind.OVERLOADED.of(detail), retryAfter);
    }

    public Problem problem() {
        return problem;
    }

    public @Nullable Duration retryAfter() {
        return retryAfter;
    }
}
