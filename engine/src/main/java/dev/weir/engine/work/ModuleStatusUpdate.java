package dev.weir.engine.work;

import dev.weir.core.state.UnitId;
import dev.weir.core.state.Update;

/** The report of an attempt, under the fence of its claim. */
public record ModuleStatusUpdate(UnitId unit, long fence, Update update) {
    public static ModuleStatusUpdate of(WorkClaim claim, Update update) {
        return new ModuleStatusUpdate(claim.unit(), claim.fence(), update);
    }
}
