package dev.weir.core.explain;

import dev.weir.core.state.FullQueue;
import java.util.List;

/** The answer to the question if a run could start now. */
public sealed interface StartEvaluation {
    /** All limits admit it. */
    record Allowed() implements StartEvaluation {}

    /**
     * At least one limit holds it. It would be accepted, and wait.
     *
     * @param micros the time until the next check, in microseconds; freed room admits the run sooner
     * @param reasons the limits that refuse it
     */
    record Deferred(long micros, List<WaitReason> reasons) implements StartEvaluation {}

    /** The organisation is suspended or the workflow archived. It would be refused. */
    record Closed(String reason) implements StartEvaluation {}

    /** It would wait, and too many runs wait already. */
    record Refused(FullQueue queue) implements StartEvaluation {}

    /** Its chain of runs and events is too long. It would never start. */
    record CascadeDetected(int depth, int maxDepth) implements StartEvaluation {}
}
