package dev.weir.engine.work;

import dev.weir.core.life.UnitId;
import dev.weir.core.life.Update;

/** The report of an attempt, under the fence of its claim. */
public record ModuleStatusUpdate(UnitId unit, long fence, Update update) {
    public static ModuleStatusUpdate of(WorkClaim claim, Update update) {
        return new ModuleStatusUpdate(claim.unit(), claim.fence(), update);
    }
}
