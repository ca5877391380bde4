package dev.weir.server.http;

import dev.weir.api.Problem;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A request that is not carried out; the problem says why. */
public final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1;
    private final transient Problem problem;
    private final transient @Nullable Duration retryAfter;

    private Refused(Problem problem, @Nullable Duration retryAfter) {
        super(problem.detail());
        this.problem = problem;
        this.retryAfter = retryAfter;
    }

    public static Refused of(Problem.Kind kind, String detail) {
        return new Refused(kind.of(detail), null);
    }

    public static Refused of(Problem.Kind kind, String detail, List<Problem.Finding> findings) {
        return new Refused(kind.of(detail, findings), null);
    }

    /** What a failure is told as; that of a bug says no more than where the log says more. */
    public static Refused because(Throwable failure) {
        return Problems.of(failure);
    }

    public static Refused notFound(String what, String id) {
        return of(Problem.Kind.NOT_FOUND, "there is no " + what + " " + id);
    }

    /** A parameter or field that does not do. */
    public static Refused invalid(String field, String expected, String found) {
        var finding = Problem.Finding.expected(field, expected, found);
        return of(Problem.Kind.INVALID_REQUEST, field + ": " + finding.message(), List.of(finding));
    }

    public static Refused unavailable(String detail, Duration retryAfter) {
        return new Refused(Problem.Kind.UNAVAILABLE.of(detail + "; it is safe to ask again"), retryAfter);
    }

    /** Nothing was done, because the caller asks for too much at once. */
    static Refused tooMany(String detail, Duration retryAfter) {
        return new Refused(Problem.Kind.TOO_MANY_REQUESTS.of(detail), retryAfter);
    }

    /** Nothing was done, because too much waits. */
    static Refused overloaded(String detail, Duration retryAfter) {
        return new Refused(Problem.Kind.OVERLOADED.of(detail), retryAfter);
    }

    public Problem problem() {
        return problem;
    }

    public @Nullable Duration retryAfter() {
        return retryAfter;
    }
}
