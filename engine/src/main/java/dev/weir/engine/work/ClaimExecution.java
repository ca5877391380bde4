package dev.weir.engine.work;

import dev.weir.core.command.Assignment;
import dev.weir.core.command.Heartbeat;
import dev.weir.core.command.UpdateStep;
import dev.weir.core.json.JsonLength;
import dev.weir.core.json.StorableJson;
import dev.weir.core.state.Update;
import dev.weir.engine.request.Unavailable;
import dev.weir.engine.request.WorkerPort;
import dev.weir.engine.secret.SecretFailure;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Executes one call of this node: runs it, keeps the claim alive with heartbeats, and reports the result. Calls have no
 * loop of their own that polls: the shard says which organisations have some.
 */
public final class ClaimExecution {
    /** The percentage of a lease that may pass without a renewal before the work is stopped. */
    private static final int UNRENEWED_PERCENT_MAX = 80;

    private static final Duration RETRY_BACKOFF = Duration.ofMillis(500);
    private static final long NANOS_PER_MICRO = 1_000;

    private final WorkerPort weir;
    private final String org;
    private final Assignment assignment;
    private final long lease;
    /** The time from which the lease counts. */
    private long renewedAt;
    /** True if the effect of the work is known. */
    private boolean outcomeKnown = true;
    /** True if the body was stopped because the claim could not be renewed. */
    private volatile boolean claimLost;

    /**
     * Creates the execution of a granted claim.
     *
     * @param askedAt time of the request for the claim, by the monotonic clock, from which its lease counts. If that
     *     was more than a third of the lease ago, the claim is renewed before the body begins
     */
    public ClaimExecution(WorkerPort weir, String org, Assignment assignment, long askedAt) {
        this.weir = weir;
        this.org = org;
        this.assignment = assignment;
        this.renewedAt = askedAt;
        this.lease = assignment.claim().lease() * NANOS_PER_MICRO;
    }

    /**
     * Runs the body on this thread and reports its result, repeatedly while the outcome of the report is unknown. A
     * failure after the claim was lost is not reported, because the body was cut short.
     *
     * @param body returns null if there is nothing to report
     * @param closing returns true if only one report may be sent, because this process is about to end
     */
    public void run(Callable<@Nullable Update> body, BooleanSupplier closing) {
        if (System.nanoTime() - renewedAt > lease / 3 && !confirmClaim(closing)) {
            return;
        }
        Thread thread = Thread.currentThread();
        Thread heartbeats = Thread.ofVirtual().start(() -> keepAlive(thread));
        Update update;
        try {
            Update returned = body.call();
            update = returned == null ? null : checkStorable(returned);
        } catch (SecretFailure e) {
            update = new Update.Failed(String.valueOf(e.getMessage()), true);
        } catch (Exception e) {
            update = new Update.Failed(String.valueOf(e), false);
        } finally {
            heartbeats.interrupt();
        }
        if (update != null && !(claimLost && update instanceof Update.Failed)) {
            report(update, closing);
        }
    }

    /** Records that the effect of the work is unknown, so that the next attempt keeps the same effect number. */
    public void markOutcomeUnknown() {
        outcomeKnown = false;
    }

    /**
     * Renews a claim that arrived late, for as long as it could last. Returns true if the claim is live, so that work
     * may begin.
     */
    private boolean confirmClaim(BooleanSupplier stop) {
        long deadline = System.nanoTime() + lease;
        try {
            do {
                long sent = System.nanoTime();
                Heartbeat.Answer answer = sendHeartbeat(lease / 3);
                if (answer instanceof Heartbeat.Answer.Extended extended) {
                    renewedAt = sent;
                    if (extended.cancelRequested()) {
                        Thread.currentThread().interrupt();
                    }
                    return true;
                }
                if (answer != null) {
                    return false;
                }
                TimeUnit.MILLISECONDS.sleep(RETRY_BACKOFF.toMillis());
            } while (!stop.getAsBoolean() && System.nanoTime() - deadline < 0);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return false;
    }

    /**
     * Turns an output that cannot be stored into a permanent failure, because the next attempt would produce it again.
     */
    static Update checkStorable(Update update) {
        JsonNode data = update.data();
        if (data == null) {
            return update;
        }
        int chars = JsonLength.of(data);
        if (chars > Update.OUTPUT_CHARS_MAX) {
            return new Update.Failed(
                    "expected an output of at most " + Update.OUTPUT_CHARS_MAX + " characters of JSON, found " + chars
                            + "; store large data elsewhere and pass its address",
                    true);
        }
        String problem = StorableJson.findProblem(data);
        return problem == null
                ? update
                : new Update.Failed("expected an output that Weir can store as JSON, found " + problem, true);
    }

    private void report(Update update, BooleanSupplier closing) {
        var report =
                new UpdateStep(assignment.claim().unit(), assignment.claim().fence(), update, false, outcomeKnown);
        boolean interrupted = Thread.interrupted();
        try {
            UpdateStep.Answer unused = retryWhileUnavailable(() -> weir.send(org, report), closing);
        } catch (InterruptedException e) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Repeats a request while its outcome is unknown. Returns null once {@code stop} returns true. */
    private static <A> @Nullable A retryWhileUnavailable(Supplier<CompletableFuture<A>> request, BooleanSupplier stop)
            throws InterruptedException {
        do {
            try {
                return request.get().join();
            } catch (CompletionException e) {
                if (!(e.getCause() instanceof Unavailable unavailable)) {
                    throw e;
                }
                TimeUnit.MILLISECONDS.sleep(Math.max(
                        RETRY_BACKOFF.toMillis(), unavailable.retryAfter().toMillis()));
            } catch (CancellationException e) {
                return null;
            }
        } while (!stop.getAsBoolean());
        return null;
    }

    /** Renews the claim every third of its lease. Interrupts the body when the claim is lost or its end is near. */
    private void keepAlive(Thread body) {
        long renewed = renewedAt;
        long stopAfter = lease / 100 * UNRENEWED_PERCENT_MAX;
        boolean cancelled = false;
        try {
            while (!cancelled && System.nanoTime() - renewed < stopAfter) {
                long untilHeartbeat = lease / 3 - Math.floorMod(System.nanoTime() - renewed, lease / 3);
                TimeUnit.NANOSECONDS.sleep(untilHeartbeat);
                long sent = System.nanoTime();
                Heartbeat.Answer answer = sendHeartbeat(stopAfter - (sent - renewed));
                if (answer instanceof Heartbeat.Answer.Extended extended) {
                    renewed = sent;
                    cancelled = extended.cancelRequested();
                } else if (answer != null) {
                    break;
                }
            }
            claimLost = !cancelled;
            body.interrupt();
        } catch (InterruptedException e) {
            // The body is done.
            return;
        }
    }

    private Heartbeat.@Nullable Answer sendHeartbeat(long nanos) throws InterruptedException {
        var heartbeat =
                new Heartbeat(assignment.claim().unit(), assignment.claim().fence());
        try {
            return weir.send(org, heartbeat).get(Math.max(1, nanos), TimeUnit.NANOSECONDS);
        } catch (ExecutionException | TimeoutException e) {
            return null;
        }
    }
}
