package dev.weir.cli.rig;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/** What those who use Weir have written down themselves; nothing in it comes from its database. */
final class Notes {
    /** A step or item of a run; no item = -1. */
    record Unit(String run, String step, int item) {}

    /**
     * One claim of a worker, from the answer that gave it to the answer to its report, on one monotonic clock.
     *
     * @param nonce what the report carried, so that it can be told from every other; absent = the claim was lost or
     *     forgotten before its body began
     * @param answers to the report, in the order in which they came
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

    /** A run that was asked for, and answered 2xx. */
    record Started(String run, String workflow) {}

    /**
     * An operator's change that was answered 2xx; times are those of the machine's clock, in microseconds.
     *
     * @param parallelism 0 = not pinned
     * @param rate 0 = not pinned
     */
    record Changed(String limit, int parallelism, int rate, long askedAt, long answeredAt) {}

    final Queue<Body> bodies = new ConcurrentLinkedQueue<>();
    final Queue<Started> started = new ConcurrentLinkedQueue<>();
    final Queue<Changed> changed = new ConcurrentLinkedQueue<>();
    final Queue<String> troubles = new ConcurrentLinkedQueue<>();
}
