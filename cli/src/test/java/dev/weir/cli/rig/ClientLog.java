package dev.weir.cli.rig;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/** The records of the workers, starters and operators themselves. Nothing in it comes from the database. */
final class ClientLog {
    /** A step or item of a run; item -1 means none. */
    record Unit(String run, String step, int item) {}

    /**
     * One claim of a worker, from the response that granted it to the answer to its report, on one monotonic clock.
     *
     * @param nonce a unique value in the report that distinguishes it from every other; absent = the claim was lost
     *     or forgotten before the work began
     * @param answers the answers to the report, in the order in which they arrived
     */
    record ClaimRecord(
            String worker,
            String module,
            Unit unit,
            long fence,
            int attempt,
            long startedAt,
            long endedAt,
            boolean failed,
            @Nullable String nonce,
            List<String> answers) {
        boolean lost() {
            return nonce == null;
        }
    }

    /** A run whose start was answered with 2xx. */
    record AcceptedRun(String run, String workflow) {}

    /**
     * An operator's change that was answered with 2xx. Times are from the machine's clock, in microseconds.
     *
     * @param parallelism the pinned parallelism; 0 = not pinned
     * @param rate the pinned rate; 0 = not pinned
     */
    record LimitChange(String limit, int parallelism, int rate, long requestedAt, long answeredAt) {}

    final Queue<ClaimRecord> claims = new ConcurrentLinkedQueue<>();
    final Queue<AcceptedRun> acceptedRuns = new ConcurrentLinkedQueue<>();
    final Queue<LimitChange> limitChanges = new ConcurrentLinkedQueue<>();
    final Queue<String> problems = new ConcurrentLinkedQueue<>();
}
