package dev.weir.engine.request;

import dev.weir.core.state.FullQueue;
import dev.weir.core.state.RunState;
import org.jspecify.annotations.Nullable;

/** The answer to a start. */
public sealed interface StartOutcome {
    /** The run was accepted. */
    record Started(String run, RunState state, int version) implements StartOutcome {}

    /** The same run was started before. */
    record Existing(String run, RunState state) implements StartOutcome {}

    /** Another run has this id. */
    record OtherBody(String run) implements StartOutcome {}

    /** The run cannot be started as requested. */
    record Refused(String reason) implements StartOutcome {}

    /** The organisation is suspended or the workflow archived. The same start may succeed later. */
    record Closed(String reason) implements StartOutcome {}

    /** Too many runs wait already. The caller may try again later. */
    record QueueFull(FullQueue queue) implements StartOutcome {}

    /**
     * No workflow of that name is registered.
     *
     * @param nearest the known name that the caller may have meant
     */
    record UnknownWorkflow(String workflow, @Nullable String nearest) implements StartOutcome {
        /** The message for the caller. */
        public String message() {
            String hint = nearest == null ? "" : "; did you mean '" + nearest + "'?";
            return "workflow not found: " + workflow + hint;
        }
    }
}
