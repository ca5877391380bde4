package dev.weir.engine.work;

import dev.weir.core.life.RunState;
import dev.weir.core.life.UnitId;
import java.util.List;

/** A run as it is now: its state, and what of it is in flight. */
public record EngineState(RunState state, List<UnitId> running) {
    public EngineState {
        running = List.copyOf(running);
    }
}
