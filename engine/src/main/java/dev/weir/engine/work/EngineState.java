package dev.weir.engine.work;

import dev.weir.core.state.RunState;
import dev.weir.core.state.UnitId;
import java.util.List;

/** The current state of a run, and its units in flight. */
public record EngineState(RunState state, List<UnitId> running) {
    public EngineState {
        running = List.copyOf(running);
    }
}
