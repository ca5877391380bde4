package dev.weir.worker;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The engine as a worker sees it: over HTTP, or in the same process. Every request is safe to repeat. A request that
 * fails throws a {@link SourceFailure}.
 *
 * @param <C> the type of a claim
 * @param <R> the type of a report
 */
public interface WorkSource<C, R> {
    /**
     * Reports results, and asks for claims. A request with reports does not wait for work, because its outcomes would
     * wait too.
     */
    Claimed<C> claim(ClaimCall<R> call) throws InterruptedException;

    /** Reports results. Returns one outcome for each, in their order. */
    List<Outcome> report(List<R> reports) throws InterruptedException;

    /** Renews claims. Returns one answer for each, in their order. */
    List<Renewal> renew(List<C> claims) throws InterruptedException;

    /** Returns the size of a report, so that a batch of them fits into one request. */
    int bytes(R report);

    /**
     * A request for claims.
     *
     * @param request an id; a repeated request with the same id returns the same claims
     * @param limit the most claims to return
     * @param waitTime the longest time to wait for work
     * @param reports the results to report first
     */
    record ClaimCall<R>(String request, int limit, Duration waitTime, List<R> reports) {}

    /**
     * The answer to a request for claims.
     *
     * @param outcomes one outcome for each report of the request, in their order
     */
    record Claimed<C>(List<C> claims, List<Outcome> outcomes) {
        public Claimed {
            claims = List.copyOf(claims);
            outcomes = List.copyOf(outcomes);
        }
    }

    /**
     * The outcome of a report. It is final, whatever it is.
     *
     * @param refusal the reason for which the report itself was refused, such as a very long output; absent if it was
     *     read
     */
    record Outcome(@Nullable String refusal) {
        public static final Outcome RECEIVED = new Outcome(null);
    }

    /**
     * The answer to a heartbeat.
     *
     * @param state true if the claim was renewed, false if it has ended, absent if the answer says nothing about it
     * @param remainingMillis the time that the claim lasts from now
     * @param cancelRequested true if the run is to be cancelled, so that the handler should stop
     */
    record Renewal(@Nullable Boolean state, long remainingMillis, boolean cancelRequested) {
        public static final Renewal LOST = new Renewal(false, 0, false);
        public static final Renewal UNKNOWN = new Renewal(null, 0, false);

        public static Renewal extended(long remainingMillis, boolean cancelRequested) {
            return new Renewal(true, remainingMillis, cancelRequested);
        }
    }
}
