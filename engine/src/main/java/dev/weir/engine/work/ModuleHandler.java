package dev.weir.engine.work;

import dev.weir.core.state.Update;

/**
 * The code of a module. Its thread is interrupted when the claim is lost or could not be renewed in time, or when the
 * run was cancelled. An exception counts as a failed attempt.
 */
@FunctionalInterface
public interface ModuleHandler {
    Update handle(WorkClaim claim) throws Exception;
}
