package dev.weir.engine;

import dev.weir.core.life.RunState;
import org.jspecify.annotations.Nullable;

/** What the one who starts a run is told. */
public sealed interface StartAnswer {
    /** The run was accepted. */
    record Started(String run, RunState state, int version) implements StartAnswer {}

    /** The same run was there already. */
    record Existing(String run, RunState state) implements StartAnswer {}

    /** Another run has this id. */
    record OtherBody(String run) implements StartAnswer {}

    /** It cannot be started as it was asked for. */
    record Refused(String reason) implements StartAnswer {}

    /**
     * No workflow of that name is registered.
     *
     * @param nearest the known name that may have been meant
     */
    record UnknownWorkflow(String workflow, @Nullable String nearest) implements StartAnswer {
        /** The same in words. */
        public String words() {
            String hint = nearest == null ? "" : "; did you mean '" + nearest + "'?";
            return "there is no workflow " + workflow + hint;
        }
    }
}
