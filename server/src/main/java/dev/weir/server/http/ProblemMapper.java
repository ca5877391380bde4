package dev.weir.server.http;

import dev.weir.api.InvalidValue;
import dev.weir.api.Problem;
import dev.weir.engine.journal.JournalFailure;
import dev.weir.engine.request.CommandFailed;
import dev.weir.engine.request.Overloaded;
import dev.weir.engine.request.TooManyReads;
import dev.weir.engine.request.Unavailable;
import io.javalin.http.HttpResponseException;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/** Maps failures to the problems that clients see. */
final class ProblemMapper {
    private static final FailureLog FAILURES = new FailureLog(System::nanoTime);
    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    private ProblemMapper() {}

    static RefusedRequest of(Throwable thrown) {
        Throwable failure = unwrap(thrown);
        return switch (failure) {
            case RefusedRequest refused -> refused;
            case InvalidValue invalid ->
                RefusedRequest.invalid("/" + invalid.field(), invalid.expected(), invalid.found());
            case Overloaded overloaded ->
                RefusedRequest.overloaded(String.valueOf(overloaded.getMessage()), overloaded.retryAfter());
            case Unavailable unavailable ->
                RefusedRequest.unavailable(String.valueOf(unavailable.getMessage()), unavailable.retryAfter());
            case TooManyReads reads -> RefusedRequest.tooMany(String.valueOf(reads.getMessage()), reads.retryAfter());
            case JournalFailure lost ->
                RefusedRequest.unavailable("the database is not reachable: " + lost.getMessage(), RETRY_AFTER);
            case CommandFailed failed -> RefusedRequest.of(Problem.Kind.REFUSED, String.valueOf(failed.getMessage()));
            case TimeoutException ignored ->
                RefusedRequest.unavailable("the engine did not respond in time", RETRY_AFTER);
            case HttpResponseException http -> byStatus(http.getStatus(), String.valueOf(http.getMessage()));
            default -> internalError(failure);
        };
    }

    private static Throwable unwrap(Throwable failure) {
        Throwable cause = failure.getCause();
        boolean wrapped = failure instanceof ExecutionException || failure instanceof CompletionException;
        return wrapped && cause != null ? unwrap(cause) : failure;
    }

    static RefusedRequest byStatus(int status, String message) {
        return Arrays.stream(Problem.Kind.values())
                .filter(kind -> kind.status() == status)
                .findFirst()
                .map(kind -> RefusedRequest.of(kind, message))
                .orElseGet(() -> RefusedRequest.of(
                        status < 500 ? Problem.Kind.INVALID_REQUEST : Problem.Kind.INTERNAL, message));
    }

    /** Tells the caller only an id to look for in the log, because the failure may concern another organisation. */
    private static RefusedRequest internalError(Throwable failure) {
        return RefusedRequest.of(
                Problem.Kind.INTERNAL, "find the details in the node's log under error " + FAILURES.log(failure));
    }
}
