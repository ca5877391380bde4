package dev.weir.engine.request;

import dev.weir.core.state.FullQueue;
import dev.weir.core.state.RunState;

/** The answer to a retry of a run. */
public sealed interface RetryOutcome {
    /** A new run does the remaining work of the old one. */
    record Started(String run, RunState state, String workflow, int version) implements RetryOutcome {}

    /** The same retry was requested before. */
    record Existing(String run, RunState state, String workflow, int version) implements RetryOutcome {}

    /** Another run has the id that was chosen for the new one. */
    record OtherBody(String run) implements RetryOutcome {}

    /** The old run has not ended. */
    record NotEnded(RunState state) implements RetryOutcome {}

    /** The old run has completed, so nothing is left to do. */
    record Completed() implements RetryOutcome {}

    record NotFound() implements RetryOutcome {}

    /** The organisation is suspended or the workflow archived. The same retry may succeed later. */
    record Closed(String reason) implements RetryOutcome {}

    /** Too many runs wait already. The caller may try again later. */
    record QueueFull(FullQueue queue) implements RetryOutcome {}

    /** The run cannot be started again as it was. */
    record Refused(String reason) implements RetryOutcome {}
}
