package dev.weir.server.http;

import dev.weir.api.Invalid;
import dev.weir.api.Problem;
import dev.weir.engine.CommandFailed;
import dev.weir.engine.Overloaded;
import dev.weir.engine.Unavailable;
import dev.weir.engine.journal.JournalFailure;
import dev.weir.engine.records.TooManyReads;
import io.javalin.http.HttpResponseException;
import java.time.Duration;
import java.util.Arrays;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Which problem a failure is. */
final class Problems {
    private static final Logger LOG = LoggerFactory.getLogger(Problems.class);
    private static final Duration SOON = Duration.ofSeconds(1);

    private Problems() {}

    static Refused of(Throwable thrown) {
        Throwable failure = unwrapped(thrown);
        return switch (failure) {
            case Refused refused -> refused;
            case Invalid invalid -> Refused.invalid("/" + invalid.field(), invalid.expected(), invalid.found());
            case Overloaded overloaded ->
                Refused.overloaded(String.valueOf(overloaded.getMessage()), overloaded.retryAfter());
            case Unavailable unavailable ->
                Refused.unavailable(String.valueOf(unavailable.getMessage()), unavailable.retryAfter());
            case TooManyReads reads -> Refused.tooMany(String.valueOf(reads.getMessage()), reads.retryAfter());
            case JournalFailure lost ->
                Refused.unavailable("the journal cannot be reached: " + lost.getMessage(), SOON);
            case CommandFailed failed -> Refused.of(Problem.Kind.REFUSED, String.valueOf(failed.getMessage()));
            case TimeoutException ignored -> Refused.unavailable("the engine did not answer in time", SOON);
            case HttpResponseException http -> byStatus(http.getStatus(), String.valueOf(http.getMessage()));
            default -> bug(failure);
        };
    }

    private static Throwable unwrapped(Throwable failure) {
        Throwable cause = failure.getCause();
        boolean wrapped = failure instanceof ExecutionException || failure instanceof CompletionException;
        return wrapped && cause != null ? unwrapped(cause) : failure;
    }

    static Refused byStatus(int status, String message) {
        return Arrays.stream(Problem.Kind.values())
                .filter(kind -> kind.status() == status)
                .findFirst()
                .map(kind -> Refused.of(kind, message))
                .orElseGet(
                        () -> Refused.of(status < 500 ? Problem.Kind.INVALID_REQUEST : Problem.Kind.INTERNAL, message));
    }

    /** Says no more than a number, under which the log says more: what went wrong may be another organisation's. */
    private static Refused bug(Throwable failure) {
        String id = UUID.randomUUID().toString();
        LOG.error("a request failed, error {}", id, failure);
        return Refused.of(Problem.Kind.INTERNAL, "the server's log says more under error " + id);
    }
}
