package dev.weir.engine.work;

import java.util.List;

/** Reports of several tries at once; each is answered on its own. */
public record UpdateRequest(List<ModuleStatusUpdate> updates) {
    public UpdateRequest {
        updates = List.copyOf(updates);
    }
}
