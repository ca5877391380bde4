package dev.weir.engine.work;

import java.util.List;

/** Reports of several attempts at once; each has its own answer. */
public record UpdateRequest(List<ModuleStatusUpdate> updates) {
    public UpdateRequest {
        updates = List.copyOf(updates);
    }
}
