package dev.weir.cli.rig;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/** The records of the workers, starters and operators themselves. Nothing in it comes from the database. */
final class Notes {
    /** A step or item of a run; item -1 means none. */
    record Unit(String run, String step, int item) {}

    /**
     * One claim of a worker, from the response that granted it to the answer to its report, on one monotonic clock.
     *
     * @param nonce a unique value in the report that distinguishes it from every other; absent = the claim was lost
     *     or forgotten before the work began
     * @param answers the answers to the report, in the order in which they arrived
     */
    record Body(
            String worker,
            String module,
            Unit unit,
            long fence,
            int attempt,
            long began,
            long ended,
            boolean failed,
            @Nullable String nonce,
            List<String> answers) {
        boolean lost() {
            return nonce == null;
        }
    }

    /** A run whose start was answered with 2xx. */
    record Started(String run, String workflow) {}

    /**
     * An operator's change that was answered with 2xx. Times are from the machine's clock, in microseconds.
     *
     * @param parallelism the pinned parallelism; 0 = not pinned
     * @param rate the pinned rate; 0 = not pinned
     */
    record Changed(String limit, int parallelism, int rate, long askedAt, long answeredAt) {}

    final Queue<Body> bodies = new ConcurrentLinkedQueue<>();
    final Queue<Started> started = new ConcurrentLinkedQueue<>();
    final Queue<Changed> changed = new ConcurrentLinkedQueue<>();
    final Queue<String> troubles = new ConcurrentLinkedQueue<>();
}
