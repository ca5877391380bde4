package dev.weir.core.command;

import dev.weir.core.state.RunState;
import dev.weir.core.state.StepState;
import org.jspecify.annotations.Nullable;

/** The current state of a run and a step that were live when the watch began. */
public interface StateWatch {
    /** Returns the state of the run; null if no such run was live. */
    @Nullable
    RunState run();

    /** Returns the state of the step or item; null if no such step was live. */
    @Nullable
    StepState step();
}
