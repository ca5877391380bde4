package dev.weir.engine;

import dev.weir.core.life.RunState;

/** What the one who tries a run again is told. */
public sealed interface RetryAnswer {
    /** A new run does what the old one has left undone. */
    record Started(String run, RunState state, String workflow, int version) implements RetryAnswer {}

    /** The same was asked before. */
    record Existing(String run, RunState state, String workflow, int version) implements RetryAnswer {}

    /** Another run has the id that was chosen for the new one. */
    record OtherBody(String run) implements RetryAnswer {}

    /** The old run lives. */
    record NotEnded(RunState state) implements RetryAnswer {}

    /** The old run has completed: there is nothing left to do. */
    record Completed() implements RetryAnswer {}

    record NotFound() implements RetryAnswer {}

    /** It cannot be started again as it was. */
    record Refused(String reason) implements RetryAnswer {}
}
