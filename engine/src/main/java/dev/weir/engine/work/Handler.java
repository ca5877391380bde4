package dev.weir.engine.work;

import dev.weir.core.life.Update;

/**
 * Does the work of a module. It is interrupted when its claim is lost, could not be renewed in time, or its run was
 * cancelled. What it throws is a failed try.
 */
@FunctionalInterface
public interface Handler {
    Update handle(WorkClaim claim) throws Exception;
}
